import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isFields } from "../../dialects/fields.ts";
import { formatPlace, HooklineError } from "../../errors.ts";
import type { DeclarationKind } from "../hooks/declarationKind.ts";
import { isHook, wordsOf } from "../hooks/declarations.ts";
import type { AnyDeclaration } from "../hooks/hookDeclaration.ts";
import { readRegularFile } from "../layers/regularFile.ts";

export interface TrustedEntry {
  readonly name: string;
  /** Only a hook has one. */
  readonly event?: string;
  readonly kind?: string;
  readonly place: string;
  readonly trustedAt: string;
  /** Which files a fingerprint covers: 0.1 wrote none, and covered fewer than this version does. */
  readonly coverage?: number;
}

const COVERAGE = 2;

export interface TrustedProject {
  readonly projectRoot: string;
  /** By fingerprint. Named `hooks` from when hooks were the only declarations. */
  readonly hooks: Readonly<Record<string, TrustedEntry>>;
}

/** For an entry with neither event nor kind: MCP servers were trusted before kinds had tags. */
const UNTAGGED = "server";

export function kindOfEntry({ event, kind = UNTAGGED }: TrustedEntry): string {
  return event === undefined ? kind : "hook";
}

/** Whether an entry is about this declaration, perhaps in another form. */
export function isAbout(entry: TrustedEntry, declared: AnyDeclaration): boolean {
  const event = isHook(declared) ? declared.eventName : undefined;
  return entry.name === declared.name && kindOfEntry(entry) === declared.kind && entry.event === event;
}

/** Its fingerprint may differ from today's although nothing was changed. */
export function isOutdated({ coverage }: TrustedEntry): boolean {
  return coverage !== COVERAGE;
}

/** Why trust that hookline 0.1 kept does not hold any more. */
export const OUTDATED_TRUST =
  "it changed since, or this version covers more of its files or reads its settings in another way";

export function goneText(entry: TrustedEntry, rows: readonly DeclarationKind[]): string {
  const what = entry.event ?? wordsOf(kindOfEntry(entry), rows).word;
  return `"${entry.name}" (${what}), trusted earlier, is no longer declared at ${entry.place}`;
}

/** For a hook that is still declared, and whose trust does not hold any more. */
export function lapsedText(entry: TrustedEntry, rows: readonly DeclarationKind[]): string {
  const what = entry.event ?? wordsOf(kindOfEntry(entry), rows).word;
  const why = isOutdated(entry)
    ? `was trusted with hookline 0.1; ${OUTDATED_TRUST}`
    : "was changed since it was trusted";
  return `"${entry.name}" (${what}) ${why}. Run \`hookline trust\`.`;
}

const MOST_BYTES = 64 * 1024 ** 2;

/** Stores which code a person trusts: one file per project, in the user's folder, never in the project. */
export class TrustStore {
  readonly #folder: string;

  constructor(homeDir: string) {
    this.#folder = join(homeDir, ".hookline", "trust");
  }

  read(projectRoot: string): TrustedProject {
    return this.#readFile(this.#fileOf(projectRoot)) ?? { projectRoot: realRoot(projectRoot), hooks: {} };
  }

  /** Another text whenever what is trusted has been written again. */
  stamp(projectRoot: string): string {
    const stats = statSync(this.#fileOf(projectRoot), { throwIfNoEntry: false });
    return stats ? `${stats.ino} ${stats.mtimeMs} ${stats.size}` : "";
  }

  /** Replaces the trusted entries of this project, except earlier ones that `isKept` keeps. */
  write(
    projectRoot: string,
    trusted: ReadonlyMap<string, AnyDeclaration>,
    isKept: (print: string, entry: TrustedEntry) => boolean = () => false,
  ): void {
    const earlier = this.read(projectRoot);
    const trustedAt = new Date().toISOString();
    const kept = Object.entries(earlier.hooks).filter(([print, entry]) => isKept(print, entry));
    const entries = [...trusted].map(([print, declared]): [string, TrustedEntry] => {
      const { name, place } = declared;
      const entry = earlier.hooks[print] ?? { name, ...tagOf(declared), place: formatPlace(place), trustedAt };
      // A fingerprint that today's rules make is up to date, whichever version wrote it first.
      return [print, { ...entry, coverage: COVERAGE }];
    });
    const project: TrustedProject = {
      projectRoot: realRoot(projectRoot),
      hooks: Object.fromEntries([...kept, ...entries]),
    };
    for (const folder of [dirname(this.#folder), this.#folder]) makeFolder(folder);
    const file = this.#fileOf(projectRoot);
    const draft = `${file}.${randomUUID()}`;
    writeFileSync(draft, `${JSON.stringify(project, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  }

  /** True if there was trust to revoke. */
  revoke(projectRoot: string): boolean {
    const file = this.#fileOf(projectRoot);
    if (this.#readFile(file) === undefined) return false;
    rmSync(file);
    return true;
  }

  list(): TrustedProject[] {
    const names = readFolder(this.#folder).filter((name) => name.endsWith(".json"));
    return names.flatMap((name) => this.#readFile(join(this.#folder, name)) ?? []);
  }

  #fileOf(projectRoot: string): string {
    const key = createHash("sha256").update(realRoot(projectRoot)).digest("hex").slice(0, 32);
    return join(this.#folder, `${key}.json`);
  }

  #readFile(file: string): TrustedProject | undefined {
    try {
      const value: unknown = JSON.parse(readRegularFile(file, MOST_BYTES));
      if (isTrustedProject(value)) return value;
      throw new Error("hookline did not write it");
    } catch (cause) {
      if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
      const what = "This trust file cannot be read, so its project is not trusted.";
      const next = "Remove the file, then run `hookline trust` in the project again.";
      throw new HooklineError({ code: "CONFIG_SYNTAX", where: { file }, what, next, cause });
    }
  }
}

function tagOf(declared: AnyDeclaration): Pick<TrustedEntry, "event" | "kind"> {
  if (isHook(declared)) return { event: declared.eventName };
  return declared.kind === UNTAGGED ? {} : { kind: declared.kind };
}

function isTrustedProject(value: unknown): value is TrustedProject {
  return (
    isFields(value) &&
    typeof value.projectRoot === "string" &&
    isFields(value.hooks) &&
    Object.values(value.hooks).every(isTrustedEntry)
  );
}

function isTrustedEntry(value: unknown): value is TrustedEntry {
  if (!isFields(value)) return false;
  const { event, kind, coverage } = value;
  const hasTexts = ["name", "place", "trustedAt"].every((key) => typeof value[key] === "string");
  return (
    hasTexts &&
    [event, kind].every((text) => text === undefined || typeof text === "string") &&
    (coverage === undefined || typeof coverage === "number")
  );
}

/** Creates one level only: Node never returns from `recursive: true` below a folder such as /proc. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

/** A link to a project counts as the project. */
function realRoot(projectRoot: string): string {
  try {
    return realpathSync(projectRoot);
  } catch {
    return projectRoot;
  }
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
