import {
  type ConfigSource,
  DEFAULT_OPTIONS,
  type EngineOptions,
  type FileFamily,
  type Problem,
  TRUST_LEVEL,
} from "./hookDeclaration.ts";
import { type Entry, plain, shown } from "./located.ts";
import { didYouMean, nearest } from "./nearest.ts";
import { OPTION_SPECS } from "./optionSpecs.ts";
import { doubt, invalid, type Report } from "./problem.ts";

/** The options one settings file sets. */
export interface OptionLayer {
  readonly source: ConfigSource;
  readonly options: Partial<EngineOptions>;
}

const SWITCHES = ["enabled", "disabled"];

interface Owner {
  readonly source: ConfigSource;
  readonly family: FileFamily;
}

/** Reads the keys of `hooksConfig` that are no switches. In a `.gemini` file they are not ours to read; ours are reported. */
export function readOptions(
  entries: readonly Entry[],
  owner: Owner,
): { layer: OptionLayer; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const report: Report = (problem) => problems.push(problem);
  const options = entries.map((entry) => readOption(entry, owner, report));
  return { layer: { source: owner.source, options: Object.assign({}, ...options) }, problems };
}

/** The most trusted layer that sets a key wins; within one layer, the first. */
export function mergeOptions(layers: readonly OptionLayer[]): EngineOptions {
  const weakestFirst = layers.toReversed().toSorted((a, b) => TRUST_LEVEL[a.source] - TRUST_LEVEL[b.source]);
  return Object.assign({}, DEFAULT_OPTIONS, ...weakestFirst.map(({ options }) => options));
}

function readOption(entry: Entry, { source, family }: Owner, report: Report): Partial<EngineOptions> {
  const { key, keyPlace: where } = entry;
  if (SWITCHES.includes(key)) return {};
  const spec = Object.hasOwn(OPTION_SPECS, key) ? OPTION_SPECS[key] : undefined;
  if (spec === undefined) {
    reportUnknown(entry, family, report);
    return {};
  }
  if (family === "gemini") {
    const what = `"hooksConfig.${key}" is not read from a .gemini file.`;
    report(doubt({ where, what, next: "Write it into .hookline/settings.json." }));
    return {};
  }
  if (spec.guarded && source !== "user" && source !== "system") {
    const what = `"hooksConfig.${key}" is read from user and system files only; here it is ignored.`;
    report(doubt({ where, what, next: "Write it into ~/.hookline/settings.json." }));
    return {};
  }
  const reading = spec.read(plain(entry.value));
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

function reportUnknown({ key, keyPlace }: Entry, family: FileFamily, report: Report): void {
  const known = [...SWITCHES, ...Object.keys(OPTION_SPECS)];
  if (family === "gemini" && nearest(key, SWITCHES) === undefined) return;
  report(
    invalid(
      keyPlace,
      `"${key}" is no key of "hooksConfig".${didYouMean(key, known)}`,
      `The keys are ${known.join(", ")}.`,
    ),
  );
}
