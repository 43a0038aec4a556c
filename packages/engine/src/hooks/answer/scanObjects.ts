import { type Findings, type KeptMembers, ObjectTrack, OPEN_BRACE, type Root } from "./objectTrack.ts";

/** The JSON objects in a text. */
export interface Scan {
  readonly objects: readonly KeptMembers[];
  /** In text order. */
  readonly roots: readonly Root[];
}

/**
 * Finds every JSON object in a text, at every depth, whatever surrounds it; one pass, linear in the length.
 *
 * Every `{` is tried, even inside the strings of an object that does not parse. Two tracks are enough for that: at
 * any position an open track is either inside a string or not. A `{` outside a string is one more level of the existing track;
 * only a `{` inside a string needs the second track. A quote that ends a string in one track starts a string in
 * the other, and a backslash, which may escape a quote, ends the track that is not inside a string.
 */
export function scanObjects(text: string): Scan {
  const findings: Findings = { objects: [], roots: [] };
  const one = new ObjectTrack(text, findings);
  const other = new ObjectTrack(text, findings);
  for (let at = text.indexOf("{"); at >= 0 && at < text.length; at++) {
    const code = text.charCodeAt(at);
    one.feed(code, at);
    other.feed(code, at);
    if (code === OPEN_BRACE && !one.readsStructure && !other.readsStructure) {
      if (one.isIdle) one.begin(at);
      else if (other.isIdle) other.begin(at);
    } else if (one.isIdle && other.isIdle) {
      const next = text.indexOf("{", at + 1);
      if (next < 0) break;
      at = next - 1;
    }
  }
  one.finish();
  other.finish();
  return { ...findings, roots: findings.roots.toSorted((a, b) => a.start - b.start) };
}
