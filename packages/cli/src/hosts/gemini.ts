import { type Seat, TRY_IT } from "./seat.ts";
import { shellCommand } from "./shellCommand.ts";

/** The host's own switches name hooks by it. */
const NAME = "hookline";

export const gemini: Seat = {
  name: "gemini",
  found: { folder: ".gemini", folderVariable: null },
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
  alsoReads: [],
  takesComments: true,
  rootKeys: null,
  modFolder: null,
  timeout: { unitMs: 1, mostMs: {} },
  group: ({ program, args, timeout }) => ({
    hooks: [{ type: "command", name: NAME, command: shellCommand([program, ...args]), timeout }],
  }),
  switches: [
    { path: ["hooksConfig", "enabled"], off: false },
    { path: ["hooksConfig", "disabled"], off: NAME },
  ],
  lacks: () => [],
  notes: (level) =>
    level === "managed"
      ? []
      : ["It runs a tool if the client is killed. A project's settings can switch off hooks that are not managed."],
  ifSilent: TRY_IT,
};
