import { basename } from "node:path";
import type { Place } from "../errors.ts";
import type { AbilityDeclaration } from "./abilityDeclaration.ts";
import { ABILITY_KEYS } from "./abilityFields.ts";
import { type ImplementationOrigin, readImplementation } from "./abilityImplementation.ts";
import {
  type NameAt,
  readAbilityId,
  readEnabled,
  readEnvironments,
  readOperationKeys,
  readSummary,
  readWrites,
} from "./abilityValues.ts";
import type { Problem } from "./hookDeclaration.ts";
import { readLimit } from "./hookValues.ts";
import { readInput } from "./inputSchema.ts";
import { entryNamed, type Located, type LocatedMap, shown } from "./located.ts";
import { invalid, type Report } from "./problem.ts";
import { reportRepeats } from "./rawHook.ts";
import { reportUnknownKeys } from "./unknownKeys.ts";

export interface AbilityOrigin extends ImplementationOrigin {
  readonly file: string;
}

/** An ability, with the places at which is reported what all files together make wrong. */
export interface DeclaredAbility {
  readonly ability: AbilityDeclaration;
  /** Its id and its operation keys. */
  readonly names: readonly NameAt[];
  readonly targetPlace: Place;
  readonly problems: readonly Problem[];
}

const DEFAULT_TIMEOUT_MS = 5 * 60_000;

/** Reads the one ability of a file. Any error leaves it off, since it guards nothing; it is declared, so that it stays listed. */
export function declareAbility(root: Located, origin: AbilityOrigin): DeclaredAbility {
  const problems: Problem[] = [];
  const report: Report = (problem) => problems.push(ofAbility(problem));
  const nothing = { name: basename(origin.file).replace(/\.ya?ml$/, ""), place: root.place };
  if (root.kind !== "map") {
    const what = `An ability file holds one mapping, not ${shown(root)}.`;
    report(invalid(root.place, what, "Begin with id, summary and implementation."));
    return { ability: withState({ ...NOTHING, ...nothing }, problems), names: [], targetPlace: root.place, problems };
  }
  reportRepeats(root, report);
  reportUnknownKeys(root.entries, { known: ABILITY_KEYS, of: "an ability", hints: ELSEWHERE }, report);
  const { ability, names, targetPlace } = readAbility(root, origin, report);
  return {
    ability: withState({ ...NOTHING, ...nothing, ...ability }, problems),
    names,
    targetPlace,
    problems,
  };
}

/** What all abilities have in common, and what one has of which nothing can be read. */
const NOTHING = {
  source: "project",
  family: "hookline",
  type: "script",
  env: {},
  passEnv: [],
  input: { type: "object" },
  operationKeys: [],
  environments: [],
  timeoutMs: DEFAULT_TIMEOUT_MS,
  writes: [],
} as const satisfies Partial<AbilityDeclaration>;

const inside = 'Write it inside "implementation".';
const ELSEWHERE: Readonly<Record<string, string>> = {
  name: 'Write it as "id".',
  description: 'Write it as "summary".',
  command: inside,
  env: inside,
  pass_env: inside,
  url: inside,
  headers: inside,
  server: inside,
  tool: inside,
  kind: inside,
  handler: 'Write it as "implementation".',
};

function readAbility(root: LocatedMap, origin: AbilityOrigin, report: Report) {
  const field = (key: string) => entryNamed(root, key);
  const id = readAbilityId(field("id"), root, report);
  const description = readSummary(field("summary"), root, report);
  const switched = readEnabled(field("enabled"), report);
  const input = readInput(field("input"), report);
  const keys = readOperationKeys(field("operation_keys"), report);
  const environments = readEnvironments(field("environments"), report);
  const implementation = readImplementation(field("implementation"), root, origin, report);
  const timeoutMs = readLimit(field("timeout"), "Until it is corrected this ability is off.", report);
  const { place: targetPlace, ...starts } = implementation;
  const ability = {
    ...(id === undefined ? {} : { name: id.name }),
    ...(description === undefined ? {} : { description }),
    ...(switched === undefined ? {} : { off: switched }),
    ...(input === undefined ? {} : { input }),
    operationKeys: [...new Set(keys.map(({ name }) => name))],
    environments,
    ...starts,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    writes: readWrites(field("writes"), report),
  };
  return { ability, names: id === undefined ? keys : [id, ...keys], targetPlace };
}

/** Who switched it off has the last word. */
function withState(ability: AbilityDeclaration, problems: readonly Problem[]): AbilityDeclaration {
  const error = problems.find(({ severity }) => severity === "error");
  return error === undefined || ability.off ? ability : { ...ability, off: { kind: "broken", problem: error } };
}

/** Whatever is wrong with an ability is said under one code. */
function ofAbility(problem: Problem): Problem {
  return problem.severity === "error" ? { ...problem, code: "ABILITY_INVALID" } : problem;
}
