import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** Hands on what a stream carries as text; a character that comes in two chunks is handed on whole. */
export function decodeStream(stream: Readable, onText: (text: string) => void): void {
  const decoder = new StringDecoder("utf8");
  stream.on("data", (chunk: Buffer) => {
    const text = decoder.write(chunk);
    if (text !== "") onText(text);
  });
  stream.on("end", () => {
    const rest = decoder.end(); // of a character that was never finished
    if (rest !== "") onText(rest);
  });
}
