import type { EventSpec } from "../../events/eventSpec.ts";
import { isCredentialName } from "../../process/credentialNames.ts";
import { quoted } from "../values/located.ts";
import { doubt, type Problem, type ProblemText } from "../values/problem.ts";
import { expandedNames } from "../values/variables.ts";
import { commandDoubts, inlineDoubts, moduleDoubts, rootScriptDoubts } from "./commandDoubts.ts";
import { type HookDeclaration, type KindSpec, takesEffect } from "./hookDeclaration.ts";
import { formOf } from "./pattern.ts";
import type { RawHook } from "./rawHook.ts";

interface Doubtful {
  readonly hook: HookDeclaration;
  readonly raw: RawHook;
  readonly event: EventSpec;
  readonly kind: KindSpec | undefined;
  readonly path: string;
  /** The project root, for a project's hook. */
  readonly project: string | undefined;
}

/** Settings that can be read but are probably a mistake. None of them keeps a hook from running. */
export function doubtsOf({ hook, raw, event, kind, path, project }: Doubtful): readonly Problem[] {
  const command = hook.target?.fields.command;
  const at = (field: string) => raw.fields.get(field)?.value.place ?? hook.place;
  return [
    ...matcherDoubts(hook, event).map((what) => doubt({ where: at("matcher"), ...what })),
    ...powerlessDoubts(hook).map(({ field, ...what }) => doubt({ where: at(field), ...what })),
    ...(hook.hold && event.output !== "afterModel"
      ? [doubt({ where: at("hold"), what: `"hold" has no meaning on ${hook.eventName}.`, next: "Remove it." })]
      : []),
    ...(kind?.ignores ?? [])
      .filter((field) => raw.fields.has(field))
      .map((field) => doubt({ where: at(field), ...ignored(raw.fields.get(field)?.key, hook) })),
    ...variableDoubts(hook).map((what) => doubt({ where: at("env"), ...what })),
    ...conditionDoubts(hook, event).map((what) => doubt({ where: at("match"), ...what })),
    ...(looksLikeGuard(hook) && failsOpen(hook, event) && !raw.fields.has("onError") ? [openGuard(hook, raw)] : []),
    ...[
      ...commandDoubts(command, path),
      ...(project === undefined
        ? inlineDoubts(command)
        : [...moduleDoubts(command, project), ...rootScriptDoubts(hook, project)]),
    ].map((what) => doubt({ where: at("command"), ...what })),
  ];
}

/** Whether a hook's name or description says that it is there to stop something. */
export function looksLikeGuard({ name, description = "" }: Pick<HookDeclaration, "name" | "description">): boolean {
  return /guard|protect|block(?!ing)|deny|denies|secret|polic(y|ies)|prevent|forbid/i.test(`${name} ${description}`);
}

function ignored(key: string | undefined, { type }: HookDeclaration): ProblemText {
  return { what: `"${key}" has no meaning for a hook of type "${type}".`, next: "Remove it." };
}

/** Credentials are not filled in: that would bypass `passEnv`. */
function variableDoubts({ family, env, passEnv }: HookDeclaration): readonly ProblemText[] {
  if (family !== "gemini") return [];
  const withheld = expandedNames(env).filter((name) => isCredentialName(name) && !passEnv.includes(name));
  return withheld.map((name) => ({
    what: `"env" uses $${name}, which looks like a credential, so it is not filled in.`,
    next: `To pass it to this hook, add "passEnv": ["${name}"].`,
  }));
}

function openGuard({ name, place }: HookDeclaration, { spelling }: RawHook): Problem {
  const [key = "onError"] = Object.entries(spelling.keys).find(([, field]) => field === "onError") ?? [];
  const what = `${quoted(name)} looks like a guard, but lets everything pass when it fails.`;
  return doubt({ where: place, what, next: `Say what a failure means: write "${key}" as ${spelling.onError.write}.` });
}

function failsOpen(hook: HookDeclaration, event: EventSpec): boolean {
  if (hook.target === undefined) return false;
  return takesEffect(hook) && hook.onError === "allow" && event.may.block !== undefined;
}

function matcherDoubts({ matcher = "", eventName }: HookDeclaration, event: EventSpec): readonly ProblemText[] {
  if (matcher === "" || matcher === "*") return [];
  if (event.subject === null) {
    const what = `${eventName} has no subject, so the matcher ${quoted(matcher)} is ignored; the hook runs every time.`;
    return [{ what, next: "Remove the matcher." }];
  }
  const form = formOf(matcher);
  switch (form.kind) {
    case "words":
    case "linear":
      return [];
    case "native": {
      const what = `The matcher ${quoted(matcher)} uses ${form.why}, which cannot be matched in linear time; it runs with a time limit, and counts as a match if it exceeds the limit.`;
      return [{ what, next: "Write it without, if possible: alternatives such as `a|b` are matched in linear time." }];
    }
    case "literal": {
      const what = `The matcher ${quoted(matcher)} is not a regular expression; it matches as literal text.`;
      return [{ what, next: "Correct the expression, or escape its special characters." }];
    }
  }
}

function powerlessDoubts({
  mode,
  blocking,
  onError,
  hold,
}: HookDeclaration): readonly (ProblemText & { field: string })[] {
  const why = mode === "observe" ? 'a hook in mode "observe"' : blocking ? undefined : "a hook that is not blocking";
  if (why === undefined) return [];
  const next = mode === "observe" ? 'Write "mode": "enforce", or remove it.' : 'Write "blocking": true, or remove it.';
  return [
    ...(onError === "block" ? [{ field: "onError", what: `A failure of ${why} cannot block anything.`, next }] : []),
    ...(hold ? [{ field: "hold", what: `Nothing is held for ${why}.`, next }] : []),
  ];
}

function conditionDoubts({ match, eventName }: HookDeclaration, event: EventSpec): readonly ProblemText[] {
  const given = [
    { name: "ability_scope", isGiven: match.abilityScope !== undefined, fits: event.subject?.kind === "ability" },
    {
      name: "min_duration_ms",
      isGiven: match.minDurationMs !== undefined,
      fits: event.conditions.min_duration_ms !== undefined,
    },
    {
      name: "only_if_changed_paths",
      isGiven: match.onlyIfChangedPaths !== undefined,
      fits: event.conditions.only_if_changed_paths !== undefined,
    },
  ];
  return given
    .filter(({ isGiven, fits }) => isGiven && !fits)
    .map(({ name }) => ({
      what: `${eventName} has no field that "${name}" could be compared with.`,
      next: "Remove the condition.",
    }));
}
