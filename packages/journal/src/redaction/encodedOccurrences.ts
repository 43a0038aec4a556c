/** From one character up to, but excluding, another. */
export type Range = readonly [from: number, to: number];

/** JSON in JSON in JSON, and joined lines. */
const MOST_READINGS = 4;
/** Whether decoding may reveal more: `\/` and `\u00fc` in foreign JSON, line breaks in base64. */
const MAY_BE_READ = /\\[/u]|[\r\n](?<=[\w+/-]{60}[\r\n])|\\{1,8}[rn](?<=[\w+/-]{60}\\{1,8}[rn])/;
const TO_READ = /\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))|\r?\n(?<=[\w+/-]{60}\r?\n)[ \t]{0,40}(?=[\w+/=-])/g;
const MEANT: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/**
 * Where `find` matches in the decoded text: with JSON escapes, in multi-line base64, or both. Ascending, without
 * overlaps.
 */
export function encodedOccurrences(
  text: string,
  find: (text: string) => readonly Range[],
  readings = MOST_READINGS,
): readonly Range[] {
  if (readings === 0 || !MAY_BE_READ.test(text)) return [];
  const { meant, writtenAt } = read(text);
  const found = [...find(meant), ...encodedOccurrences(meant, find, readings - 1)];
  return apart(found).map(([from, to]) => [writtenAt(from), writtenAt(to)]);
}

interface Reading {
  readonly meant: string;
  /** Position of a decoded character in the original text; call in ascending order. */
  readonly writtenAt: (index: number) => number;
}

function read(text: string): Reading {
  const from: number[] = [];
  const shifts: number[] = [];
  let meant = "";
  let done = 0;
  for (const { index, 0: all, 1: code, 2: sign = "" } of text.matchAll(TO_READ)) {
    meant += text.slice(done, index) + (code ? String.fromCharCode(Number.parseInt(code, 16)) : (MEANT[sign] ?? sign));
    done = index + all.length;
    from.push(meant.length);
    shifts.push(done - meant.length);
  }
  let passed = 0;
  const writtenAt = (index: number) => {
    while ((from[passed] ?? Number.POSITIVE_INFINITY) <= index) passed++;
    return index + (shifts[passed - 1] ?? 0);
  };
  return { meant: meant + text.slice(done), writtenAt };
}

function apart(ranges: readonly Range[]): readonly Range[] {
  const kept: Range[] = [];
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = kept.at(-1);
    if (last && from < last[1]) kept[kept.length - 1] = [last[0], Math.max(to, last[1])];
    else kept.push([from, to]);
  }
  return kept;
}
