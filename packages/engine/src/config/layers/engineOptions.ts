import { type ConfigSource, type FileFamily, TRUST_LEVEL } from "../values/configSource.ts";
import { type Entry, plain, shown } from "../values/located.ts";
import { didYouMean, nearest } from "../values/nearest.ts";
import { DEFAULT_OPTIONS, type EngineOptions } from "../values/options.ts";
import { doubt, invalid, type Problem, type Report } from "../values/problem.ts";
import { journalOptions, journalOver, UNSURE } from "./journalSetting.ts";
import { OPTION_SPECS, type SetOptions } from "./optionSpecs.ts";

/** The options that one settings file sets. */
export interface OptionLayer {
  readonly source: ConfigSource;
  readonly options: SetOptions;
}

const SWITCHES = ["enabled", "disabled"];

interface Owner {
  readonly source: ConfigSource;
  readonly family: FileFamily;
}

/** Reads the keys of `hooksConfig` other than switches. A `.gemini` file may not set them: our keys are reported there, others ignored. */
export function readOptions(
  entries: readonly Entry[],
  owner: Owner,
): { layer: OptionLayer; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const report: Report = (problem) => problems.push(problem);
  const options = entries.map((entry) => readOption(entry, owner, report));
  return { layer: { source: owner.source, options: options.reduce(optionsOver, {}) }, problems };
}

/** For a file that cannot be read: values it may have wanted redacted must not be recorded. */
export function unreadOptions({ source, family }: Owner): OptionLayer {
  return { source, options: family === "hookline" && mayGuard(source) ? { journal: { isUnsure: true } } : {} };
}

/** The most trusted layer that sets a key wins; within one layer, the first. Each field of `journal` counts as its own key. */
export function mergeOptions(layers: readonly OptionLayer[]): EngineOptions {
  const weakestFirst = layers.toReversed().toSorted((a, b) => TRUST_LEVEL[a.source] - TRUST_LEVEL[b.source]);
  const { journal = {}, ...others } = weakestFirst.map(({ options }) => options).reduce(optionsOver, {});
  return { ...DEFAULT_OPTIONS, ...others, journal: journalOptions(journal) };
}

function optionsOver(weaker: SetOptions, stronger: SetOptions): SetOptions {
  return { ...weaker, ...stronger, journal: journalOver(weaker.journal ?? {}, stronger.journal ?? {}) };
}

function readOption(entry: Entry, owner: Owner, report: Report): SetOptions {
  const { source, family } = owner;
  const { key, keyPlace: where } = entry;
  if (SWITCHES.includes(key)) return {};
  const spec = Object.hasOwn(OPTION_SPECS, key) ? OPTION_SPECS[key] : undefined;
  if (spec === undefined) return readUnknown(entry, owner, report);
  if (family === "gemini") {
    const what = `"hooksConfig.${key}" is not read from a .gemini file.`;
    report(doubt({ where, what, next: "Write it into .hookline/settings.json." }));
    return {};
  }
  if (spec.guarded && !mayGuard(source)) {
    const what = `"hooksConfig.${key}" is read from user and system files only; here it is ignored.`;
    report(doubt({ where, what, next: "Write it into ~/.hookline/settings.json." }));
    return {};
  }
  const reading = spec.read(plain(entry.value), entry.value, report);
  if ("error" in reading) {
    report(invalid(entry.value.place, `"hooksConfig.${key}" ${shown(entry.value)} ${reading.error}.`));
    return {};
  }
  if (reading.doubt !== undefined) {
    report(
      doubt({
        where: entry.value.place,
        what: `${key} ${shown(entry.value)} ${reading.doubt}.`,
        next: "Write the unit.",
      }),
    );
  }
  return reading.set;
}

function mayGuard(source: ConfigSource): boolean {
  return source === "user" || source === "system";
}

/** A key meant for the journal may have been meant to redact something. */
function readUnknown({ key, keyPlace }: Entry, { source, family }: Owner, report: Report): SetOptions {
  const known = [...SWITCHES, ...Object.keys(OPTION_SPECS)];
  if (family === "gemini" && nearest(key, SWITCHES) === undefined) return {};
  const isUnsure = mayGuard(source) && nearest(key, known) === "journal";
  const what = `"${key}" is not a key of "hooksConfig".${didYouMean(key, known)}${isUnsure ? ` ${UNSURE}.` : ""}`;
  report(invalid(keyPlace, what, `The keys are ${known.join(", ")}.`));
  return isUnsure ? { journal: { isUnsure } } : {};
}
