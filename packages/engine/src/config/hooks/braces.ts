const MAX_ALTERNATIVES = 256;

/** Expands braces: `a.{ts,js}`, `{1..3}`, also nested. Undefined if there are too many results. */
export function expandBraces(glob: string): readonly string[] | undefined {
  const braces = firstBraces(glob);
  if (!braces) return [glob];
  const inside = combine(braces.choices.map(expandBraces));
  const after = expandBraces(braces.after);
  if (!inside || !after || inside.length * after.length > MAX_ALTERNATIVES) return undefined;
  return inside.flatMap((choice) => after.map((rest) => `${braces.before}${choice}${rest}`));
}

interface Braces {
  readonly before: string;
  readonly choices: readonly string[];
  readonly after: string;
}

/** The first pair of braces that offers a choice; `{a}` and an unmatched brace are plain characters. */
function firstBraces(glob: string): Braces | undefined {
  const open: { readonly at: number; readonly commas: number[] }[] = [];
  let found: Braces | undefined;
  for (let at = 0; at < glob.length; at += 1) {
    const char = glob[at];
    if (char === "\\") at += 1;
    else if (char === "{") open.push({ at, commas: [] });
    else if (char === ",") open.at(-1)?.commas.push(at);
    else if (char === "}") {
      const pair = open.pop();
      const choices = pair && choicesIn(glob, [pair.at, ...pair.commas, at]);
      if (pair && choices && (!found || pair.at <= found.before.length)) {
        found = { before: glob.slice(0, pair.at), choices, after: glob.slice(at + 1) };
      }
      if (found && open.length === 0) return found;
    }
  }
  return found;
}

function choicesIn(glob: string, cuts: readonly number[]): readonly string[] | undefined {
  const choices = cuts.slice(1).map((cut, index) => glob.slice((cuts[index] ?? 0) + 1, cut));
  return choices.length > 1 ? choices : rangeOf(choices[0] ?? "");
}

/** `1..3` and `a..c`, up or down. */
function rangeOf(text: string): readonly string[] | undefined {
  const [, first = "", last = ""] = /^(-?\d{1,9}|[a-z])\.\.(-?\d{1,9}|[a-z])$/i.exec(text) ?? [];
  const isNumeric = /\d/.test(first);
  if (first === "" || isNumeric !== /\d/.test(last)) return undefined;
  const [from, to] = isNumeric ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)];
  const length = Math.min(Math.abs(to - from) + 1, MAX_ALTERNATIVES + 1);
  const step = to < from ? -1 : 1;
  return Array.from({ length }, (_, index) => from + index * step).map((value) =>
    isNumeric ? String(value) : String.fromCharCode(value),
  );
}

function combine(all: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  const globs: string[] = [];
  for (const some of all) {
    if (!some || globs.length + some.length > MAX_ALTERNATIVES) return undefined;
    globs.push(...some);
  }
  return globs;
}
