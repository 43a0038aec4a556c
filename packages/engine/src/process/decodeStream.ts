import { StringDecoder } from "node:string_decoder";
import type { OutputStream } from "./leader.ts";

/** Passes a stream on as text; a character split between two chunks is passed on whole. */
export function decodeStream(stream: OutputStream, onText: (text: string) => void): void {
  const decoder = new StringDecoder("utf8");
  stream.on("data", (chunk: Buffer) => {
    const text = decoder.write(chunk);
    if (text !== "") onText(text);
  });
  stream.on("end", () => {
    const rest = decoder.end(); // an incomplete character
    if (rest !== "") onText(rest);
  });
}
