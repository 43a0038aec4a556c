import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { formatPlace, HooklineError } from "../errors.ts";
import { type AnyDeclaration, DECLARATION_WORDS, type DeclarationKind, kindOf } from "./declarations.ts";
import { readRegularFile } from "./regularFile.ts";

/** Only a hook has an event, only an ability says what it is; else it is an MCP server. */
const trustedEntry = z.object({
  name: z.string(),
  event: z.string().exactOptional(),
  kind: z.literal("ability").exactOptional(),
  place: z.string(),
  trustedAt: z.string(),
});
/** `hooks` has been its name since before there was anything else to trust. */
const trustedProject = z.object({ projectRoot: z.string(), hooks: z.record(z.string(), trustedEntry) });

export type TrustedEntry = z.infer<typeof trustedEntry>;
export type TrustedProject = z.infer<typeof trustedProject>;

export function kindOfEntry({ event, kind }: TrustedEntry): DeclarationKind {
  if (event !== undefined) return "hooks";
  return kind === "ability" ? "abilities" : "servers";
}

export function goneText(entry: TrustedEntry): string {
  const what = entry.event ?? DECLARATION_WORDS[kindOfEntry(entry)].word;
  return `"${entry.name}" (${what}), trusted earlier, is no longer declared at ${entry.place}`;
}

const MOST_BYTES = 64 * 1024 ** 2;

/** Which code of which projects a person trusts: one file per project, in the user's folder, never in the project. */
export class TrustStore {
  readonly #folder: string;

  constructor(homeDir: string) {
    this.#folder = join(homeDir, ".hookline", "trust");
  }

  read(projectRoot: string): TrustedProject {
    return this.#readFile(this.#fileOf(projectRoot)) ?? { projectRoot: realRoot(projectRoot), hooks: {} };
  }

  /** Replaces what is trusted in this project, except for earlier entries that are to be kept. */
  write(
    projectRoot: string,
    trusted: ReadonlyMap<string, AnyDeclaration>,
    isKept: (print: string, entry: TrustedEntry) => boolean = () => false,
  ): void {
    const earlier = this.read(projectRoot);
    const trustedAt = new Date().toISOString();
    const kept = Object.entries(earlier.hooks).filter(([print, entry]) => isKept(print, entry));
    const entries = [...trusted].map(([print, declared]): [string, TrustedEntry] => [
      print,
      earlier.hooks[print] ?? {
        name: declared.name,
        ...("eventName" in declared ? { event: declared.eventName } : {}),
        ...(kindOf(declared) === "abilities" ? { kind: "ability" } : {}),
        place: formatPlace(declared.place),
        trustedAt,
      },
    ]);
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

  /** True if there was something to take back. */
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
      return trustedProject.parse(JSON.parse(readRegularFile(file, MOST_BYTES)));
    } catch (cause) {
      if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
      const what = "This trust file cannot be read, so nothing in its project is trusted.";
      const next = "Remove the file, then run `hookline trust` in the project again.";
      throw new HooklineError({ code: "CONFIG_SYNTAX", where: { file }, what, next, cause });
    }
  }
}

/** One level only: Node never returns from `recursive: true` below a folder such as /proc. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

/** A link to a project is the project. */
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
