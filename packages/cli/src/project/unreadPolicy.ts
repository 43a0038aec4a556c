import type { UnreadPolicy } from "@hookline/engine/program";
import type { Option } from "../terminal/command.ts";
import type { Io } from "../terminal/io.ts";
import { showPlace } from "../terminal/showPlace.ts";
import { counted } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";

export const IGNORE_BROKEN_OPTION: Option = {
  flags: "--ignore-broken-settings",
  description: "start although a settings file cannot be read; its hooks do not run",
};

interface UnreadOptions {
  readonly ignoreBrokenSettings: boolean;
  readonly json: boolean;
}

const MOST_SHOWN = 5;

/** The policy of every command that needs guards: if a settings file cannot be read, the user decides, or nothing starts. */
export function unreadPolicy(io: Io, { ignoreBrokenSettings, json }: UnreadOptions): UnreadPolicy {
  if (ignoreBrokenSettings) return "ignore";
  return async (unread) => {
    const isAsked = io.interactive && !json;
    if (!isAsked) return false;
    const bases = { projectRoot: io.cwd, homeDir: io.homeDir };
    const shown = unread.slice(0, MOST_SHOWN).map(({ where, what }) => `  ${showPlace(where, bases)} ${visible(what)}`);
    const more = unread.length > MOST_SHOWN ? [`  and ${unread.length - MOST_SHOWN} more`] : [];
    io.stdout(`${counted(unread.length, "settings file")} cannot be read:\n${[...shown, ...more].join("\n")}\n`);
    return io.confirm("Continue without the hooks declared there?");
  };
}
