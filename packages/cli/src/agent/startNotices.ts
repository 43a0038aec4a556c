import { formatPlace, type HookSystem } from "@hookline/engine";
import { forgetUnattended, unattendedNotices } from "../decisions/unattended.ts";
import type { Io } from "../io.ts";
import { counted } from "../table.ts";

/** What a person must know before they rely on their hooks: which of them do not run, and why. */
export function startNotices(system: HookSystem, { homeDir, interactive }: Io): string[] {
  const unattended = unattendedNotices(homeDir);
  // In a script nobody may read them; they are named until a person is there.
  if (interactive && unattended.length > 0) forgetUnattended(homeDir);
  const { problems, untrusted, notices } = system.getStatus();
  const errors = problems.filter(({ severity }) => severity === "error");
  return [
    ...errors.map(({ where, what }) => `${formatPlace(where)} ${what}`),
    ...(errors.length > 0 ? ["Run `hookline validate` to see what does not run, and why."] : []),
    ...(untrusted.length > 0
      ? [`Not trusted, not running: ${counted(untrusted.length, "hook")} (${untrusted.join(", ")})`]
      : []),
    ...switchedOff(system),
    ...notices,
    ...unattended,
  ];
}

/** A guard that somebody switched off is missed by those who rely on it. */
function switchedOff(system: HookSystem): string[] {
  return system
    .getRegistry()
    .getAllHooks()
    .flatMap(({ config: { name, eventName, off } }) =>
      off?.kind === "switch"
        ? [`Switched off: "${name}" (${eventName}), by ${off.what} at ${formatPlace(off.by)}`]
        : [],
    );
}
