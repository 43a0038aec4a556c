import { type Declarations, flatten } from "../hooks/declarations.ts";
import type { AnyDeclaration, Declaration, Off } from "../hooks/hookDeclaration.ts";
import { type FileStamp, fileStamp } from "../values/fileContent.ts";
import { stampedFingerprint } from "./fingerprint.ts";

/** A declaration with its fingerprint and the stamps of its files. */
export interface Examined {
  readonly declared: AnyDeclaration;
  readonly print: string;
  readonly stamps: readonly FileStamp[];
}

export function examine(declared: AnyDeclaration): Examined {
  return { declared, ...stampedFingerprint(declared) };
}

export function stampsOf({ target }: Declaration): readonly FileStamp[] {
  return target?.files.map(fileStamp) ?? [];
}

/** Only project files can bring in code that the user did not choose; a declaration that is off starts none. */
export function needsTrust({ source, off }: Declaration): boolean {
  return source === "project" && off === undefined;
}

/** An active hook of the user, the system or an extension: it needs no trust, but must not change during the session. */
export function isOwnHook({ source, off }: Declaration): boolean {
  return source !== "project" && source !== "runtime" && off === undefined;
}

/** A declaration that is switched off stays declared and trusted. */
export function isAsleep({ source, off }: Declaration): boolean {
  return source === "project" && off?.kind === "switch";
}

/** A project that is not trusted, or has no code to trust, cannot change how other layers' hooks run. */
export function isProjectTrusted(declarations: Declarations): boolean {
  const own = flatten(declarations).filter(({ source }) => source === "project");
  return own.some(needsTrust) && !own.some(({ off }) => off?.kind === "untrusted");
}

/** Marks the refused declarations as off. */
export function withoutTrust(refused: ReadonlySet<Declaration>, all: Declarations): Declarations {
  const judged = <Kind extends Declaration>(declared: Kind): Kind =>
    refused.has(declared) ? { ...declared, off: declared.source === "project" ? UNTRUSTED : CHANGED } : declared;
  return { hooks: all.hooks.map(judged), others: all.others.map(judged) };
}

const CHANGED: Off = {
  kind: "untrusted",
  what: "it was changed during this session, and the change was not confirmed",
};
const UNTRUSTED: Off = { kind: "untrusted", what: "its project is not trusted; run `hookline trust`" };
