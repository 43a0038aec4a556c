import { statfsSync } from "node:fs";
import { sizeText } from "../sandbox/bounds.ts";
import { error, type Finding, warning } from "./finding.ts";

const MEBIBYTE = 1024 ** 2;
const NONE_BYTES = MEBIBYTE;
const LITTLE_BYTES = 32 * MEBIBYTE;

/** Reports only low disk space. */
export function spaceLeft(folder: string): readonly Finding[] {
  const bytes = freeBytes(folder);
  if (bytes === undefined || bytes >= LITTLE_BYTES) return [];
  const what = `Only ${sizeText(bytes)} are free on this disk.`;
  const facts = { what, file: folder, next: "Free some space; records that cannot be written are lost, and counted." };
  return [bytes < NONE_BYTES ? error(facts) : warning(facts)];
}

function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder);
    return blocks === 0 ? undefined : bavail * bsize; // the file system does not report it
  } catch {
    return undefined; // the folder is missing, which another check reports
  }
}
