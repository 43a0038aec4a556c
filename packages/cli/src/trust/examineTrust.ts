import { readFileSync } from "node:fs";
import {
  type AnyDeclaration,
  contentHash,
  enumerated,
  fingerprint,
  isAbout,
  isOutdated,
  kindOfEntry,
  type TrustedEntry,
  type TrustedProject,
  wordsOf,
} from "@hookline/engine/program";
import { DECLARATION_KINDS } from "../declarations/index.ts";
import { visible } from "../terminal/visible.ts";

export interface CoveredFile {
  readonly file: string;
  /** Undefined if the value cannot be read. */
  readonly sha256: string | undefined;
  readonly content: Buffer | undefined;
}

/** A declaration that starts code, with the user's trust decision about it. */
export interface Examined {
  readonly declared: AnyDeclaration;
  readonly print: string;
  readonly state: "new" | "changed" | "trusted";
  /** Trusted with hookline 0.1, whose fingerprints cover fewer files: it may not have been changed at all. */
  readonly isOutdated: boolean;
  readonly files: readonly CoveredFile[];
}

export function examineTrust(all: readonly AnyDeclaration[], trusted: TrustedProject): Examined[] {
  const known = Object.values(trusted.hooks);
  return all.map((declared) => {
    const print = fingerprint(declared);
    const about = known.filter((entry) => isAbout(entry, declared));
    const state = Object.hasOwn(trusted.hooks, print) ? "trusted" : about.length > 0 ? "changed" : "new";
    const isOld = state === "changed" && about.every(isOutdated);
    return { declared, print, state, isOutdated: isOld, files: (declared.target?.files ?? []).map(examineFile) };
  });
}

/** Trusted earlier and no longer declared. */
export function goneEntries(examined: readonly Examined[], trusted: TrustedProject): TrustedEntry[] {
  return Object.entries(trusted.hooks).flatMap(([print, entry]) => {
    const isHere = examined.some((one) => one.print === print || isAbout(entry, one.declared));
    return isHere ? [] : [entry];
  });
}

/** `check on BeforeTool`, `MCP server github` or `ability deploy`. */
export function calledIn(entry: TrustedEntry): string {
  const { name, event } = entry;
  const what = wordsOf(kindOfEntry(entry), DECLARATION_KINDS).word;
  return event === undefined ? `${what} ${visible(name)}` : `${visible(name)} on ${visible(event)}`;
}

/** `2 hooks, 1 MCP server and 1 ability`. */
export function countedIn(all: readonly AnyDeclaration[]): string {
  const parts = ["hook", ...DECLARATION_KINDS.map(({ kind }) => kind)].flatMap((kind) => {
    const count = all.filter((declared) => declared.kind === kind).length;
    const { word, many } = wordsOf(kind, DECLARATION_KINDS);
    return count === 0 && (kind !== "hook" || all.length > 0) ? [] : [`${count} ${count === 1 ? word : many}`];
  });
  return enumerated(parts);
}

function examineFile(file: string): CoveredFile {
  // Refuses pipes and files that are too large, so that reading always ends.
  const sha256 = contentHash(file);
  return { file, sha256, content: sha256 === undefined ? undefined : readFileSync(file) };
}
