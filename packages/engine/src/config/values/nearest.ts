/** Limits the cost: names come from a repository. */
const MAX_CHARS = 100;
const MAX_CANDIDATES = 500;
/** The largest edit distance that still counts as near. */
const MAX_DISTANCE = 3;

/** The candidate that was most likely meant, or undefined if none is close: a wrong guess is worse than none. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > MAX_CHARS) return undefined;
  const wanted = word.toLowerCase();
  let best: { name: string; distance: number } | undefined;
  let tried = 0;
  for (const name of candidates) {
    if (++tried > MAX_CANDIDATES) break;
    const distance = likeness(wanted, name.toLowerCase());
    if (distance <= allowance(wanted) && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

/** `Did you mean "x"?` with the space before it, or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const guess = nearest(word, candidates);
  return guess === undefined ? "" : ` Did you mean "${guess}"?`;
}

function allowance(word: string): number {
  return word.length <= 3 ? 1 : word.length <= 7 ? 2 : MAX_DISTANCE;
}

/** A prefix (`hook` of `hooks`, `BeforeTool` of `BeforeToolSelection`) counts as a near miss. */
function likeness(word: string, name: string): number {
  const distance = editDistance(word, name);
  const isPrefix = word.length >= 3 && (name.startsWith(word) || word.startsWith(name));
  return isPrefix ? Math.min(distance, 1.5) : distance;
}

/** Restricted Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of neighbours, up to a limit. */
function editDistance(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > MAX_DISTANCE) return Number.POSITIVE_INFINITY;
  const far = Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    // Further from the diagonal, the distance is already too large.
    const [first, end] = [Math.max(1, row - MAX_DISTANCE), Math.min(to.length, row + MAX_DISTANCE)];
    for (let column = first; column <= end; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        (last[column] ?? far) + 1,
        (current[column - 1] ?? far) + 1,
        (last[column - 1] ?? far) + (same ? 0 : 1),
        swapped ? (beforeLast[column - 2] ?? far) + 1 : far,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length] ?? far;
}
