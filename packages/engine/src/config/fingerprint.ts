import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { HookDeclaration } from "./hookDeclaration.ts";

/** What a person trusts: the definition, and the content of the program or script it starts. */
export function fingerprint(hook: HookDeclaration): string {
  const { name, eventName, type, matcher, match, sequential, timeoutMs, onError, mode, blocking, hold } = hook;
  const { env, passEnv, replay, target } = hook;
  const definition = { name, eventName, type, matcher, match, sequential, timeoutMs, onError, mode, blocking, hold };
  const started = target?.files.map((file) => [file, contentHash(file)]);
  return sha256(JSON.stringify([definition, env, passEnv, replay, target?.identity, started]));
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
