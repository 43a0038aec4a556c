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

/** Cheap enough for every run: changes whenever the file may have changed. */
export function fileStamp(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}:${stat.mode}` : "missing";
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
