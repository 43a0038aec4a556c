/** Characters that HFS+ ignores in names. */
const IGNORED = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/**
 * A path as the most lenient file system reads it: ignores case (macOS, Windows), some invisible characters (HFS+),
 * trailing dots and spaces, and stream names (NTFS). Two paths with the same result may be the same file.
 */
export function foldPath(path: string): string {
  const known = foldedPaths.get(path);
  if (known !== undefined) return known;
  const folded = path.split("/").map(foldName).join("/");
  if (foldedPaths.size >= MOST_KEPT) foldedPaths.clear();
  if (path.length <= LONGEST_KEPT) foldedPaths.set(path, folded);
  return folded;
}

/** Cache: every write compares the same protected paths. */
const foldedPaths = new Map<string, string>();
const MOST_KEPT = 2_000;
const LONGEST_KEPT = 300;

function foldName(name: string): string {
  const [stem = ""] = name.normalize("NFKC").replace(IGNORED, "").toLowerCase().split(":");
  const folded = withoutTail(stem);
  return /^git~\d$/.test(folded) ? ".git" : folded; // the 8.3 short name on Windows
}

/** Not a regular expression: `/[. ]+$/` takes quadratic time on a long run of dots. */
function withoutTail(name: string): string {
  let end = name.length;
  while (end > 0 && (name[end - 1] === "." || name[end - 1] === " ")) end -= 1;
  return name.slice(0, end);
}
