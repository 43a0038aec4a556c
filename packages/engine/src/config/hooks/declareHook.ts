import { HooklineError } from "../../errors.ts";
import type { EventSpec } from "../../events/eventSpec.ts";
import type { ConfigSource, FileFamily } from "../values/configSource.ts";
import { readEnv, readNames, readText, readTimeout } from "../values/hookValues.ts";
import { plain, quoted, shown } from "../values/located.ts";
import { invalid, type Problem, type Report } from "../values/problem.ts";
import { expandVariables, extensionVariables } from "../values/variables.ts";
import { withVariables } from "./commandFiles.ts";
import { doubtsOf } from "./doubts.ts";
import type { HookDeclaration, KindSpec, Lookup, Target } from "./hookDeclaration.ts";
import { HOOK_FIELDS, readField } from "./hookFields.ts";
import { findKind, unknownKeys } from "./hookKind.ts";
import type { RawHook } from "./rawHook.ts";

/** What the origin of a declaration says about the hook. */
export interface Origin {
  readonly source: ConfigSource;
  readonly family: FileFamily;
  readonly event: EventSpec;
  readonly kinds: readonly KindSpec[];
  readonly lookup: Lookup;
}

/** Reads one hook. A hook that cannot run is still declared, with the reason, so that it stays listed and matched. */
export function declareHook(raw: RawHook, origin: Origin): { hook: HookDeclaration; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const report: Report = (problem) => problems.push(problem);
  const field = (name: string) => raw.fields.get(name);

  const found = findKind(raw, origin.kinds, report);
  const misspelt = unknownKeys(raw, "kind" in found ? found.kind : undefined, report);
  const unreadable = new Set([...raw.contradicted, ...misspelt]);
  const env = extensionVariables(readEnv(field("env"), report), origin.lookup);
  const isGemini = origin.family === "gemini";
  const { PATH } = isGemini ? expandVariables(env, { PATH: origin.lookup.path }) : env;
  const lookup = { ...origin.lookup, path: PATH ?? origin.lookup.path };
  const start = "kind" in found ? startOf(raw, found.kind, { env, lookup }) : found;
  const description = readText(field("description"), report);
  const matcher = readText(field("matcher"), report);
  const kindField = field("type")?.value;
  const { onError, mode, blocking, hold, replay, retries, sequential } = {
    ...HOOK_FIELDS,
    onError: raw.spelling.onError,
  };

  const name = readText(field("name"), report);
  const canRetry = "kind" in found && !found.kind.ignores?.includes("retries");
  const attempts = canRetry ? readField(retries, field("retries"), report) : 0;
  const hook: HookDeclaration = {
    name: name || startText(raw, origin.kinds) || "(unnamed)",
    ...(name ? {} : { unnamed: true }),
    ...(description === undefined ? {} : { description }),
    kind: "hook",
    eventName: raw.eventName,
    source: origin.source,
    family: origin.family,
    place: raw.place,
    type: "kind" in found ? found.kind.type : kindField?.kind === "scalar" ? String(kindField.value) : "unknown",
    ...("target" in start ? { target: start.target } : {}),
    ...(matcher === undefined ? {} : { matcher }),
    match: raw.match,
    sequential: readField(sequential, field("sequential"), report),
    ...asWritten(raw),
    timeoutMs: readTimeout(field("timeout"), origin.family, report),
    ...(attempts === 0 ? {} : { retries: attempts }),
    onError: unreadable.has("onError") ? onError.unreadable : readField(onError, field("onError"), report),
    mode: unreadable.has("mode") ? mode.unreadable : readField(mode, field("mode"), report),
    blocking: unreadable.has("blocking")
      ? blocking.unreadable
      : readField({ ...blocking, absent: origin.event.facing === "ai" }, field("blocking"), report),
    hold: unreadable.has("hold") ? hold.unreadable : readField(hold, field("hold"), report),
    env,
    passEnv: readNames(field("passEnv"), report),
    replay: readField(replay, field("replay"), report),
    ...("problem" in start ? { off: { kind: "broken", problem: start.problem } } : {}),
    ...(raw.off === undefined ? {} : { off: raw.off }),
  };
  if ("problem" in start) report(start.problem);
  const kind = "kind" in found ? found.kind : undefined;
  return {
    hook,
    problems: [
      ...problems,
      ...doubtsOf({ hook, raw, event: origin.event, kind, path: lookup.path, project: lookup.project }),
    ],
  };
}

function asWritten({ fields }: RawHook): Pick<HookDeclaration, "command" | "module" | "url" | "timeout"> {
  const text = (name: string) => {
    const value = fields.get(name)?.value;
    return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined;
  };
  const [command, module, url] = [text("command"), text("module"), text("url")];
  const limit = fields.get("timeout")?.value;
  const timeout = limit?.kind === "scalar" ? limit.value : undefined;
  return {
    ...(command === undefined ? {} : { command }),
    ...(module === undefined ? {} : { module }),
    ...(url === undefined ? {} : { url }),
    ...(typeof timeout === "string" || typeof timeout === "number" ? { timeout } : {}),
  };
}

interface Surroundings {
  readonly env: Readonly<Record<string, string>>;
  readonly lookup: Lookup;
}

function startOf(
  raw: RawHook,
  kind: KindSpec,
  { env, lookup }: Surroundings,
): { target: Target } | { problem: Problem } {
  const entries = kind.fields.names.flatMap((key) => {
    const entry = raw.fields.get(key);
    return entry === undefined ? [] : [{ key, entry }];
  });
  const given = Object.fromEntries(entries.map(({ key, entry }) => [key, plain(entry.value)]));
  const error = kind.fields.areFine(given) ? undefined : kind.fields.schema().safeParse(given).error;
  if (error) return { problem: unusable(raw, kind, error.issues[0]) };
  try {
    const target = kind.resolve(given, lookup);
    return { target: kind.ignores?.includes("env") ? target : withVariables(target, env, lookup) };
  } catch (cause) {
    if (!(cause instanceof HooklineError)) throw cause;
    const where = entries[0]?.entry.value.place ?? raw.place;
    const { code, what, next } = cause;
    return { problem: { severity: "error", code, where, what, next } };
  }
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function unusable(raw: RawHook, kind: KindSpec, issue: Issue | undefined): Problem {
  const key = String(issue?.path[0] ?? "");
  const entry = raw.fields.get(key);
  const word = raw.spelling.kindWord(kind) ?? kind.type;
  if (entry !== undefined) {
    return invalid(entry.value.place, `"${entry.key}" cannot be ${shown(entry.value)}: ${issue?.message}.`);
  }
  const next = `Write ${quoted(key)} beside ${quoted(raw.spelling.kindKey.replace(/^.*\./, ""))}.`;
  return invalid(raw.place, `A hook of kind "${word}" needs "${key}"; this one has none.`, next);
}

/** The command (or module, or url): the name of a hook without one. */
function startText(raw: RawHook, kinds: readonly KindSpec[]): string | undefined {
  const keys = new Set(kinds.flatMap(({ fields }) => fields.names));
  for (const key of keys) {
    const value = raw.fields.get(key)?.value;
    if (value?.kind === "scalar" && typeof value.value === "string" && value.value !== "") return value.value;
  }
  return undefined;
}
