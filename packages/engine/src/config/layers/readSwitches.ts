import { type Entry, plain, shown } from "../values/located.ts";
import { doubt, invalid, type Problem, type Report } from "../values/problem.ts";
import type { RawSettings } from "./jsonSettings.ts";
import type { Switch } from "./switches.ts";

/** Reads the switches of one settings file. An unreadable switch is ignored: hooks stay on. */
export function readSwitches(
  { hooksConfig, tools }: Pick<RawSettings, "hooksConfig" | "tools">,
  owner: Pick<Switch, "source" | "family">,
): { switches: readonly Switch[]; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const report: Report = (problem) => problems.push(problem);
  const enabled = hooksConfig.findLast(({ key }) => key === "enabled");
  const older = tools.findLast(({ key }) => key === "enableHooks");
  const isOn = readFlag("hooksConfig.enabled", enabled, report);
  const olderIsOn = readFlag("tools.enableHooks", older, report);
  const off = (entry: Entry | undefined, path: string): readonly Switch[] =>
    entry === undefined ? [] : [{ ...owner, place: entry.keyPlace, what: `${path}: false` }];

  if (older !== undefined && isOn !== undefined && olderIsOn !== undefined && isOn !== olderIsOn) {
    const what = `"tools.enableHooks" says ${olderIsOn} and "hooksConfig.enabled" says ${isOn}; the latter applies.`;
    report(doubt({ where: older.keyPlace, what, next: 'Remove "tools.enableHooks", the older name.' }));
  }
  const whole =
    isOn === false
      ? off(enabled, "hooksConfig.enabled")
      : isOn === undefined && olderIsOn === false
        ? off(older, "tools.enableHooks")
        : [];
  const named = hooksConfig
    .filter(({ key }) => key === "disabled")
    .flatMap((entry) => readDisabled(entry, owner, report));
  return { switches: [...whole, ...named], problems };
}

function readFlag(path: string, entry: Entry | undefined, report: Report): boolean | undefined {
  const value = entry === undefined ? undefined : plain(entry.value);
  if (entry === undefined || typeof value === "boolean") return typeof value === "boolean" ? value : undefined;
  report(
    invalid(
      entry.value.place,
      `"${path}" cannot be ${shown(entry.value)}; it is ignored.`,
      "Write true or false, without quotes.",
    ),
  );
  return undefined;
}

function readDisabled({ value }: Entry, owner: Pick<Switch, "source" | "family">, report: Report): readonly Switch[] {
  const next = 'Write a list of names: ["my-hook"].';
  if (value.kind !== "list") {
    report(invalid(value.place, `"hooksConfig.disabled" cannot be ${shown(value)}; it is ignored.`, next));
    return [];
  }
  return value.items.flatMap((item) => {
    const name = plain(item);
    if (typeof name === "string")
      return [{ ...owner, place: item.place, what: `hooksConfig.disabled: ${shown(item)}`, name }];
    report(invalid(item.place, `"hooksConfig.disabled" cannot hold ${shown(item)}; it is ignored.`, next));
    return [];
  });
}
