import { parse } from "jsonc-parser";

/** The value of JSON with comments, as far as it makes sense; undefined if a repository nests it too deeply to be read. */
export function looseJson(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
