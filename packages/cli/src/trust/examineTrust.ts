import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type AnyDeclaration, fingerprint, type TrustedEntry, type TrustedProject } from "@hookline/engine";
import { counted } from "../table.ts";
import { visible } from "../visible.ts";

export interface CoveredFile {
  readonly file: string;
  /** Undefined where it cannot be read. */
  readonly sha256: string | undefined;
  readonly content: Buffer | undefined;
}

/** A hook or a server, and what a person has said about it so far. */
export interface Examined {
  readonly declared: AnyDeclaration;
  readonly print: string;
  readonly state: "new" | "changed" | "trusted";
  readonly files: readonly CoveredFile[];
}

export function examineTrust(all: readonly AnyDeclaration[], trusted: TrustedProject): Examined[] {
  const known = Object.values(trusted.hooks);
  return all.map((declared) => {
    const print = fingerprint(declared);
    const wasKnown = known.some((entry) => isSame(declared, entry));
    const state = Object.hasOwn(trusted.hooks, print) ? "trusted" : wasKnown ? "changed" : "new";
    return { declared, print, state, files: (declared.target?.files ?? []).map(examineFile) };
  });
}

/** Trusted earlier, and no longer declared. */
export function goneEntries(examined: readonly Examined[], trusted: TrustedProject): TrustedEntry[] {
  return Object.entries(trusted.hooks).flatMap(([print, entry]) => {
    const isHere = examined.some((one) => one.print === print || isSame(one.declared, entry));
    return isHere ? [] : [entry];
  });
}

/** `check on BeforeTool`, or `MCP server github`. */
export function calledIn(name: string, event: string | undefined): string {
  return event === undefined ? `MCP server ${visible(name)}` : `${visible(name)} on ${visible(event)}`;
}

/** `2 hooks and 1 MCP server`. */
export function countedIn(all: readonly AnyDeclaration[]): string {
  const hooks = all.filter((declared) => "eventName" in declared).length;
  const servers = all.length - hooks;
  const parts = [
    ...(hooks > 0 || servers === 0 ? [counted(hooks, "hook")] : []),
    ...(servers > 0 ? [counted(servers, "MCP server")] : []),
  ];
  return parts.join(" and ");
}

function isSame(declared: AnyDeclaration, { name, event }: TrustedEntry): boolean {
  return declared.name === name && event === ("eventName" in declared ? declared.eventName : undefined);
}

function examineFile(file: string): CoveredFile {
  try {
    const content = readFileSync(file);
    return { file, sha256: createHash("sha256").update(content).digest("hex"), content };
  } catch {
    return { file, sha256: undefined, content: undefined };
  }
}
