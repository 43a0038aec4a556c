import type { Seat } from "./seat.ts";
import { shellCommand } from "./shellCommand.ts";

const TRUST_THERE =
  "Start codex, type /hooks and trust the hooks of hookline: until then, Codex skips them without a word.";

export const codex: Seat = {
  name: "codex",
  found: { folder: ".codex", folderVariable: "CODEX_HOME" },
  files: {
    user: { in: "folder", path: "hooks.json" },
    project: { in: "project", path: ".codex/hooks.json" },
    managed: {
      in: "nowhere",
      why: "Codex takes managed hooks from requirements.toml, which hookline does not write",
      next: "Install it for the user, or copy the hooks of `hookline install codex --dry-run` into requirements.toml.",
    },
  },
  alsoReads: [],
  takesComments: false,
  rootKeys: ["description", "hooks"],
  modFolder: null,
  timeout: { unitMs: 1_000, mostMs: { SessionEnd: 3_000 } },
  // It starts hooks through the person's shell, and trusts this very command line.
  group: ({ program, args, timeout }) => ({
    hooks: [{ type: "command", command: shellCommand([program, ...args]), timeout }],
  }),
  switches: [],
  lacks: () => [],
  notes: () => [TRUST_THERE],
  ifSilent: TRUST_THERE,
};
