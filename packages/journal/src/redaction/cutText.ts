import { REDACTED } from "@hookline/engine/program";

const NOTE = /… \(cut: ([\d,]+) characters\)$/;

/** Text of at most so many bytes, in whole characters; what is cut says how long it was. */
export function cutText(text: string, maxBytes: number): string {
  return Buffer.byteLength(text) <= maxBytes ? text : cutHead(text, maxBytes, text.length);
}

/** The beginning of a text of so many characters, with the note. Of what was cut before, the first note counts. */
export function cutHead(text: string, maxBytes: number, characters: number): string {
  const note = `… (cut: ${NOTE.exec(text)?.[1] ?? characters.toLocaleString("en-US")} characters)`;
  const bytes = Buffer.from(text.replace(NOTE, "").slice(0, maxBytes));
  let end = Math.min(bytes.length, Math.max(0, maxBytes - Buffer.byteLength(note)));
  // A byte 10xxxxxx goes on with a character that began before it.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return withoutHalfMark(bytes.toString("utf8", 0, end)) + note;
}

function withoutHalfMark(text: string): string {
  const from = text.lastIndexOf("[");
  const isHalf = from >= 0 && text.length - from < REDACTED.length && REDACTED.startsWith(text.slice(from));
  return isHalf ? text.slice(0, from) : text;
}
