import { readFileSync } from "node:fs";

/** Filled in by the build, so that no start has to read package.json. */
declare const PROGRAM_VERSION: string | undefined;

export function programVersion(): string {
  if (typeof PROGRAM_VERSION === "string") return PROGRAM_VERSION;
  const { version: text } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return String(text);
}
