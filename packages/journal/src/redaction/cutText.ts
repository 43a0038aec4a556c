import { REDACTED } from "@hookline/engine/program";

const NOTE = /… \(cut: ([\d,]+) characters\)$/;

/** Cuts a text to this many bytes, in whole characters; a note gives the original length. */
export function cutText(text: string, maxBytes: number): string {
  return Buffer.byteLength(text) <= maxBytes ? text : cutHead(text, maxBytes, text.length);
}

/** The head of a text with the note. If the text was cut before, keeps the first note. */
export function cutHead(text: string, maxBytes: number, characters: number): string {
  const note = `… (cut: ${NOTE.exec(text)?.[1] ?? characters.toLocaleString("en-US")} characters)`;
  const bytes = Buffer.from(text.replace(NOTE, "").slice(0, maxBytes));
  let end = Math.min(bytes.length, Math.max(0, maxBytes - Buffer.byteLength(note)));
  // A byte 10xxxxxx continues a character that began before it.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return withoutHalfMark(bytes.toString("utf8", 0, end)) + note;
}

function withoutHalfMark(text: string): string {
  const from = text.lastIndexOf("[");
  const isHalf = from >= 0 && text.length - from < REDACTED.length && REDACTED.startsWith(text.slice(from));
  return isHalf ? text.slice(0, from) : text;
}
