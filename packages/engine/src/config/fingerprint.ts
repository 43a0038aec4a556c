import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { AbilityDeclaration } from "./abilityDeclaration.ts";
import type { AnyDeclaration } from "./declarations.ts";
import type { HookDeclaration } from "./hookDeclaration.ts";
import type { ServerDeclaration } from "./serverDeclaration.ts";

/** What a person trusts: the definition, and the content of the program or script it starts. */
export function fingerprint(declared: AnyDeclaration): string {
  const { env, passEnv, target } = declared;
  const started = target?.files.map((file) => [file, contentHash(file)]);
  return sha256(JSON.stringify([...definitionOf(declared, [env, passEnv]), target?.identity, started]));
}

function definitionOf(declared: AnyDeclaration, environment: readonly unknown[]): readonly unknown[] {
  if ("eventName" in declared) return [hookDefinition(declared), ...environment, declared.replay];
  return "operationKeys" in declared
    ? ["abilities", abilityDefinition(declared), ...environment]
    : ["mcpServers", serverDefinition(declared), ...environment];
}

function hookDefinition(hook: HookDeclaration) {
  const { name, eventName, type, matcher, match, sequential, timeoutMs, onError, mode, blocking, hold } = hook;
  return { name, eventName, type, matcher, match, sequential, timeoutMs, onError, mode, blocking, hold };
}

function serverDefinition({ name, type, timeoutMs, includeTools, excludeTools }: ServerDeclaration) {
  return { name, type, timeoutMs, includeTools, excludeTools };
}

/** Its description too: whoever decides what is run, an AI among them, goes by it. */
function abilityDefinition(ability: AbilityDeclaration) {
  const { name, type, description, input, operationKeys, environments, timeoutMs, writes } = ability;
  return { name, type, description, input, operationKeys, environments, timeoutMs, writes };
}

/** What a stat says about a file; undefined if there is none. */
export type FileStamp =
  | { readonly [Field in "dev" | "ino" | "size" | "mtimeMs" | "ctimeMs" | "mode"]: number }
  | undefined;

const NO_ERROR = { throwIfNoEntry: false } as const;

export function fileStamp(file: string): FileStamp {
  return statSync(file, NO_ERROR);
}

/** Cheap enough for every run: false whenever the file may have changed. Numbers: to write them down costs as much as the stat. */
export function sameStamp(one: FileStamp, other: FileStamp): boolean {
  if (one === other) return true;
  return (
    one !== undefined &&
    other !== undefined &&
    one.ino === other.ino &&
    one.mtimeMs === other.mtimeMs &&
    one.ctimeMs === other.ctimeMs &&
    one.size === other.size &&
    one.mode === other.mode &&
    one.dev === other.dev
  );
}

export function sameStamps(some: readonly FileStamp[], others: readonly FileStamp[]): boolean {
  return some === others || (some.length === others.length && some.every((one, i) => sameStamp(one, others[i])));
}

function contentHash(file: string): string {
  try {
    return sha256(readFileSync(file));
  } catch {
    return "unreadable";
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
