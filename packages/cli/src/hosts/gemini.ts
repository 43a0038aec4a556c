import type { Seat } from "./seat.ts";
import { shellCommand } from "./shellCommand.ts";

export const gemini: Seat = {
  name: "gemini",
  found: { program: "gemini", folder: ".gemini", folderVariable: null, packageName: "@google/gemini-cli" },
  files: {
    user: { in: "folder", path: "settings.json" },
    project: { in: "project", path: ".gemini/settings.json" },
    managed: {
      in: "system",
      paths: {
        linux: "/etc/gemini-cli/settings.json",
        darwin: "/Library/Application Support/GeminiCli/settings.json",
      },
    },
  },
  takesComments: true,
  timeout: { unitMs: 1, mostMs: {} },
  group: ({ program, args, timeout }) => ({
    hooks: [{ type: "command", name: "hookline", command: shellCommand([program, ...args]), timeout }],
  }),
  switches: [{ path: ["hooksConfig", "enabled"], off: false }],
  lacks: () => [],
  notes: (level) => [
    "The Gemini CLI runs a tool if the client is killed. A project's settings can switch hooks off, unless they are managed.",
    ...(level === "project"
      ? ["The command has the path of your home folder: do not commit .gemini/settings.json."]
      : []),
  ],
};
