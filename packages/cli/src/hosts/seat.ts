import type { DialectName } from "@hookline/engine/program";

/** Whose sessions an installation guards. */
export const LEVELS = ["user", "project", "managed"] as const;
export type Level = (typeof LEVELS)[number];

/** For hosts that run new hooks without being told to. */
export const TRY_IT =
  "Start it once in a project. If it still does not call, run `hookline init`, which tries the hook.";

/** How hookline is plugged into one host: where it writes, what it writes there, and how the host is found. */
export interface Seat {
  /** That of its dialect. */
  readonly name: DialectName;
  readonly found: HostTraces;
  readonly files: Readonly<Record<Level, SettingsPlace>>;
  /** Other files of the host whose switches count. */
  readonly alsoReads: readonly { readonly in: "project"; readonly path: string }[];
  /** The file may have comments; without, the host would refuse the whole file. */
  readonly takesComments: boolean;
  /** With any other key at the root, the host refuses the whole file. Null: it takes all. */
  readonly rootKeys: readonly string[] | null;
  /** Where in the host's folder its plugins are, whose code can override an answer. */
  readonly modFolder: string | null;
  readonly timeout: {
    /** The host's unit, in milliseconds. */
    readonly unitMs: number;
    /** By event, where the host waits only so long, whatever its file says. */
    readonly mostMs: Readonly<Record<string, number>>;
  };
  /** One group of hooks of an event, which calls the client for every subject. */
  readonly group: (call: ClientCommand) => HookGroup;
  /** Keys of the host's file that turn its hooks off. */
  readonly switches: readonly HookSwitch[];
  /** What is missing in a version of the host; said before the installation. */
  readonly lacks: (version: string) => readonly string[];
  /** What a person must know or do afterwards. */
  readonly notes: (level: Level) => readonly string[];
  /** What to do if the host never calls. */
  readonly ifSilent: string;
}

export interface HostTraces {
  /** Its folder in the home folder, and the variable that names another. */
  readonly folder: string;
  readonly folderVariable: string | null;
}

export type SettingsPlace =
  /** A path in the host's folder. */
  | { readonly in: "folder"; readonly path: string }
  /** A path in the project. */
  | { readonly in: "project"; readonly path: string }
  /** An absolute path per platform. */
  | { readonly in: "system"; readonly paths: Readonly<Partial<Record<NodeJS.Platform, string>>> }
  /** hookline cannot install here. */
  | { readonly in: "nowhere"; readonly why: string; readonly next: string };

export interface ClientCommand {
  /** The absolute path of the client, and its arguments. */
  readonly program: string;
  readonly args: readonly string[];
  /** In the host's unit. */
  readonly timeout: number;
  /** Without an answer, the action must not happen. */
  readonly closes: boolean;
  readonly version: string | undefined;
}

export interface HookGroup {
  readonly hooks: readonly Readonly<Record<string, unknown>>[];
}

export interface HookSwitch {
  readonly path: readonly [string, ...string[]];
  /** The value that turns hooks off; of a list, an item of it. */
  readonly off: unknown;
  /** It stands in managed settings, and turns off all hooks but theirs. */
  readonly sparesManaged?: true;
}
