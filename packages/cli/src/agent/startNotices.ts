import { formatPlace, type LoadedSettings, type Problem } from "@hookline/engine/program";
import { forgetUnattended, unattendedNotices } from "../decisions/unattended.ts";
import type { Io } from "../terminal/io.ts";
import { counted } from "../terminal/table.ts";
import { idleGuards } from "./idleGuards.ts";
import type { OpenAgent } from "./openAgent.ts";

/** The limit per kind of notice: a thousand bad files of a clone must not hide problems with the user's own. */
const MOST_SHOWN = 5;
const MOST_NAMES = 20;

/** Tells the user which hooks do not run, and why. */
export async function startNotices(
  { system, loaded, setup }: Pick<OpenAgent, "system" | "loaded" | "setup">,
  { homeDir, interactive }: Io,
): Promise<readonly string[]> {
  const unattended = unattendedNotices(homeDir);
  // The output of a script may stay unread: repeat them until a person starts a session.
  if (interactive && unattended.length > 0) forgetUnattended(homeDir);
  const { untrusted, switchedOff, notices } = system.getStatus();
  const errors = errorsByTrust(loaded).map(({ where, what }) => `${formatPlace(where)} ${what}`);
  const off = switchedOff.map(
    ({ name, eventName, what, by }) => `Switched off: "${name}" (${eventName}), by ${what} at ${formatPlace(by)}`,
  );
  const idle = await idleGuards({ system, setup });
  return [
    ...shortened(errors, (left) => `${counted(left, "more error")} in the settings.`),
    ...(errors.length > 0 ? ["Run `hookline validate` for details."] : []),
    ...(untrusted.length > 0
      ? [`Not trusted, so not running: ${counted(untrusted.length, "hook")} (${enumeration(untrusted)})`]
      : []),
    ...shortened(off, (left) => `${left} more switched off: \`hookline list\` shows them.`),
    ...shortened(idle, (left) => `${counted(left, "more guard")} of no tool: \`hookline validate\` shows them.`),
    ...notices,
    ...unattended,
  ];
}

function errorsByTrust({ problems, layers }: LoadedSettings): readonly Problem[] {
  const rank = { runtime: 0, system: 0, user: 1, project: 2, extensions: 3 };
  const ranks = new Map(layers.map(({ file, source }) => [file, rank[source]]));
  const rankOf = ({ where }: Problem) => ranks.get(where.file) ?? rank.project;
  return problems.filter(({ severity }) => severity === "error").toSorted((a, b) => rankOf(a) - rankOf(b));
}

function shortened(lines: readonly string[], summary: (left: number) => string): readonly string[] {
  const left = lines.length - MOST_SHOWN;
  return left > 0 ? [...lines.slice(0, MOST_SHOWN), summary(left)] : lines;
}

function enumeration(names: readonly string[]): string {
  const left = names.length - MOST_NAMES;
  return left > 0 ? `${names.slice(0, MOST_NAMES).join(", ")} and ${left} more` : names.join(", ");
}
