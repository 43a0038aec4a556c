import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fingerprint, type HookDeclaration, type TrustedHook, type TrustedProject } from "@hookline/engine";

export interface CoveredFile {
  readonly file: string;
  /** Undefined where it cannot be read. */
  readonly sha256: string | undefined;
  readonly content: Buffer | undefined;
}

/** A hook, and what a person has said about it so far. */
export interface ExaminedHook {
  readonly hook: HookDeclaration;
  readonly print: string;
  readonly state: "new" | "changed" | "trusted";
  readonly files: readonly CoveredFile[];
}

export function examineTrust(hooks: readonly HookDeclaration[], trusted: TrustedProject): ExaminedHook[] {
  const known = Object.values(trusted.hooks);
  return hooks.map((hook) => {
    const print = fingerprint(hook);
    const wasKnown = known.some(({ name, event }) => name === hook.name && event === hook.eventName);
    const state = Object.hasOwn(trusted.hooks, print) ? "trusted" : wasKnown ? "changed" : "new";
    return { hook, print, state, files: (hook.target?.files ?? []).map(examineFile) };
  });
}

/** Trusted earlier, and no longer declared. */
export function goneHooks(examined: readonly ExaminedHook[], trusted: TrustedProject): TrustedHook[] {
  return Object.entries(trusted.hooks).flatMap(([print, { name, event, ...rest }]) => {
    const isHere = examined.some(
      (one) => one.print === print || (one.hook.name === name && one.hook.eventName === event),
    );
    return isHere ? [] : [{ name, event, ...rest }];
  });
}

function examineFile(file: string): CoveredFile {
  try {
    const content = readFileSync(file);
    return { file, sha256: createHash("sha256").update(content).digest("hex"), content };
  } catch {
    return { file, sha256: undefined, content: undefined };
  }
}
