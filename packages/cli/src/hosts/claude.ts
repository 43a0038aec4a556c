import { type ClientCommand, type HookGroup, type Seat, TRY_IT } from "./seat.ts";
import { shellCommand } from "./shellCommand.ts";
import { isBefore } from "./versions.ts";

/** Hooks without a shell. An older version would start the client without its arguments. */
const EXEC_FORM = "2.1.139";
/** An older version ignores `onFailure`. */
const ON_FAILURE = "2.1.295";

export const claude: Seat = {
  name: "claude",
  found: {
    folder: ".claude",
    folderVariable: "CLAUDE_CONFIG_DIR",
  },
  files: {
    user: { in: "folder", path: "settings.json" },
    // The command has the path of the person's home folder, so it does not belong into the file that a team shares.
    project: { in: "project", path: ".claude/settings.local.json" },
    managed: {
      in: "system",
      paths: {
        linux: "/etc/claude-code/managed-settings.json",
        darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
      },
    },
  },
  alsoReads: [{ in: "project", path: ".claude/settings.json" }],
  takesComments: true,
  rootKeys: null,
  modFolder: "plugins",
  timeout: { unitMs: 1_000, mostMs: { SessionEnd: 60_000 } },
  group,
  switches: [
    { path: ["disableAllHooks"], off: true },
    { path: ["allowManagedHooksOnly"], off: true, sparesManaged: true },
  ],
  lacks: (version) =>
    isBefore(version, ON_FAILURE)
      ? [`Before ${ON_FAILURE}, Claude Code runs a tool if the client is killed or missing. Update it.`]
      : [],
  notes: (level) =>
    level === "managed"
      ? []
      : [
          "A mod that answers `tool.check` with allow overrides this. Hooks from managed settings cannot be overridden.",
        ],
  ifSilent: TRY_IT,
};

function group({ program, args, timeout, closes, version }: ClientCommand): HookGroup {
  const isExec = version === undefined || !isBefore(version, EXEC_FORM);
  const started = isExec ? { command: program, args } : { command: shellCommand([program, ...args]) };
  return { hooks: [{ type: "command", ...started, timeout, ...(closes ? { onFailure: "block" } : {}) }] };
}
