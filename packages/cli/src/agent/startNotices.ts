import { formatPlace, type HookSystem } from "@hookline/engine";
import { counted } from "../table.ts";

/** What a person must know before they rely on their hooks: which of them do not run, and why. */
export function startNotices(system: HookSystem): string[] {
  const { problems, untrusted, notices } = system.getStatus();
  const errors = problems.filter(({ severity }) => severity === "error");
  return [
    ...errors.map(({ where, what }) => `${formatPlace(where)} ${what}`),
    ...(errors.length > 0 ? ["Run `hookline validate` to see what does not run, and why."] : []),
    ...(untrusted.length > 0
      ? [`Not trusted, not running: ${counted(untrusted.length, "hook")} (${untrusted.join(", ")})`]
      : []),
    ...notices,
  ];
}
