import { basename } from "node:path";
import {
  type DeclarationOrigin,
  type Declared,
  entryNamed,
  invalid,
  type Located,
  type LocatedMap,
  type Problem,
  type Report,
  readLimit,
  reportRepeats,
  reportUnknownKeys,
  shown,
} from "@hookline/engine/program";
import type { AbilityDeclaration } from "./abilityDeclaration.ts";
import { ABILITY_KEYS } from "./abilityFields.ts";
import { readImplementation } from "./abilityImplementation.ts";
import {
  readAbilityId,
  readEnabled,
  readEnvironments,
  readOperationKeys,
  readSummary,
  readWrites,
} from "./abilityValues.ts";
import { readInput } from "./inputSchema.ts";

const DEFAULT_TIMEOUT_MS = 5 * 60_000;

/** Reads the ability of a file. An error turns it off, since it guards nothing, but it stays declared and listed. */
export function declareAbility(root: Located, origin: DeclarationOrigin): Declared<AbilityDeclaration> {
  const problems: Problem[] = [];
  const report: Report = (problem) => problems.push(ofAbility(problem));
  const name = basename(origin.file).replace(/\.ya?ml$/, "");
  const nothing = { name, place: root.place, places: { names: [], target: root.place } };
  if (root.kind !== "map") {
    const what = `An ability file contains one mapping, not ${shown(root)}.`;
    report(invalid(root.place, what, "Begin with id, summary and implementation."));
    return { declared: [finished({ ...NOTHING, ...nothing }, problems)], problems };
  }
  reportRepeats(root, report);
  reportUnknownKeys(root.entries, { known: ABILITY_KEYS, of: "an ability", hints: ELSEWHERE }, report);
  const ability = readAbility(root, origin, report);
  return { declared: [finished({ ...NOTHING, ...nothing, ...ability }, problems)], problems };
}

/** Common fields, and the defaults of an ability that could not be read. */
const NOTHING = {
  kind: "ability",
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

function readAbility(root: LocatedMap, origin: DeclarationOrigin, report: Report) {
  const field = (key: string) => entryNamed(root, key);
  const id = readAbilityId(field("id"), root, report);
  const description = readSummary(field("summary"), root, report);
  const switched = readEnabled(field("enabled"), report);
  const input = readInput(field("input"), report);
  const keys = readOperationKeys(field("operation_keys"), report);
  const environments = readEnvironments(field("environments"), report);
  const implementation = readImplementation(field("implementation"), root, origin, report);
  const timeoutMs = readLimit(field("timeout"), "Until it is corrected this ability is off.", report);
  const { place: target, ...starts } = implementation;
  return {
    ...(id === undefined ? {} : { name: id.name }),
    ...(description === undefined ? {} : { description }),
    ...(switched === undefined ? {} : { off: switched }),
    ...(input === undefined ? {} : { input }),
    operationKeys: [...new Set(keys.map(({ name }) => name))],
    environments,
    ...starts,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    writes: readWrites(field("writes"), report),
    places: { names: id === undefined ? keys : [id, ...keys], target },
  };
}

/** Adds the fields that follow from others. A switch takes precedence over an error. */
function finished(fields: Omit<AbilityDeclaration, "definition">, problems: readonly Problem[]): AbilityDeclaration {
  const { server, tool } = fields.type === "mcp" ? (fields.target?.fields ?? {}) : {};
  const isTool = typeof server === "string" && typeof tool === "string";
  const guardedAs = [fields.name, ...fields.operationKeys];
  const error = problems.find(({ severity }) => severity === "error");
  return {
    ...fields,
    definition: definitionOf(fields),
    ...(isTool ? { tool: { server, name: tool, guardedAs } } : {}),
    ...(error === undefined || fields.off ? {} : { off: { kind: "broken", problem: error } }),
  };
}

/** Includes the description: the AI and the user decide by it what to run. */
function definitionOf(ability: Omit<AbilityDeclaration, "definition">): readonly unknown[] {
  const { name, type, description, input, operationKeys, environments, timeoutMs, writes } = ability;
  return ["abilities", { name, type, description, input, operationKeys, environments, timeoutMs, writes }];
}

/** Reports every error of an ability with the same code. */
function ofAbility(problem: Problem): Problem {
  return problem.severity === "error" ? { ...problem, code: "ABILITY_INVALID" } : problem;
}
