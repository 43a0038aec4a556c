import { createHash, randomUUID } from "node:crypto";
import { isHook } from "../hooks/declarations.ts";
import type { AnyDeclaration, HookDeclaration } from "../hooks/hookDeclaration.ts";
import { type FileContent, readContent } from "../values/fileContent.ts";

/** Hashes what a person trusts: the definition, and the content of the program or script it starts. */
export function fingerprint(declared: AnyDeclaration): string {
  return stampedFingerprint(declared).print;
}

/** The same, with the stamps of the files it read. */
export function stampedFingerprint(declared: AnyDeclaration) {
  const contents = contentsOf(declared);
  return {
    print: sha256(fingerprinted(declared, declared.target?.identity, contents)),
    stamps: contents.map(({ stamp }) => stamp),
  };
}

/** One fingerprint for all declarations, the same wherever the project is checked out: for scripts that pin what they trust. */
export function projectFingerprint(all: readonly AnyDeclaration[], projectRoot: string): string {
  // JSON text contains no NUL, so no other text can look like the replaced path.
  const root = JSON.stringify(projectRoot).slice(1, -1);
  const parts = all.map((declared) => {
    const started = declared.target?.written ?? declared.target?.identity;
    return sha256(fingerprinted(declared, started, contentsOf(declared)).replaceAll(root, "\0"));
  });
  return sha256(parts.toSorted().join("\n"));
}

function contentsOf({ target }: AnyDeclaration): readonly FileContent[] {
  return target?.files.map(readContent) ?? [];
}

function fingerprinted(declared: AnyDeclaration, what: unknown, contents: readonly FileContent[]): string {
  const { env, passEnv, target } = declared;
  const started = target && contents.map(({ file, hash = randomUUID() }) => [file, hash]);
  return JSON.stringify([...definitionOf(declared, [env, passEnv]), what, started]);
}

function definitionOf(declared: AnyDeclaration, environment: readonly unknown[]): readonly unknown[] {
  return isHook(declared)
    ? [hookDefinition(declared), ...environment, declared.replay]
    : [...declared.definition, ...environment];
}

function hookDefinition(hook: HookDeclaration) {
  const { name, eventName, type, matcher, match, sequential, timeoutMs, onError, mode, blocking, hold, retries } = hook;
  return { name, eventName, type, matcher, match, sequential, timeoutMs, onError, mode, blocking, hold, retries };
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
