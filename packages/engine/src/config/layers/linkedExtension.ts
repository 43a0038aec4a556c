import { realpathSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { doubt, invalid, type Problem } from "../values/problem.ts";
import { DescriptorWait } from "./descriptorWait.ts";
import { readRegularFile } from "./regularFile.ts";

const FILE = ".gemini-extension-install.json";
const MOST_BYTES = 1024 ** 2;

export interface ExtensionPlace {
  /** The folder with its hooks; absent if there is none. */
  readonly path?: string;
  readonly problems: readonly Problem[];
  /** The file that decides which folder it is, if there is one. */
  readonly watch: readonly string[];
}

/** `gemini extensions link` leaves only a note of the folder that it works in: that folder has the hooks. */
export async function placeOfExtension(folder: string): Promise<ExtensionPlace> {
  const file = join(folder, FILE);
  const note = await readNote(file);
  switch (note.kind) {
    case "absent":
      return { path: folder, problems: [], watch: [] };
    case "own":
      return { path: folder, problems: [], watch: [file] };
    case "unreadable":
      return { path: folder, problems: [invalid({ file }, note.what, REPAIR)], watch: [file] };
    case "link": {
      const { path, what } = linked(note.source);
      return path === undefined
        ? { problems: [invalid({ file }, what, REPAIR)], watch: [file] }
        : { path, problems: [doubt({ where: { file }, what, next: LINKED })], watch: [file] };
    }
  }
}

const REPAIR = "Correct the file, or remove the extension: `gemini extensions uninstall`.";
const LINKED = "Nothing, if you linked it yourself. Its hooks count as yours: they run without further trust.";

function linked(source: unknown): { readonly path?: string; readonly what: string } {
  if (typeof source !== "string" || !isAbsolute(source)) {
    return { what: `This extension is linked, but "source" is not an absolute path, so its hooks do not run.` };
  }
  const path = realFolder(source);
  const named = JSON.stringify(path ?? source);
  return path === undefined
    ? { what: `This extension is linked to ${named}, which is not a folder, so its hooks do not run.` }
    : { path, what: `This extension is linked: its hooks are read from ${named}.` };
}

type Note =
  | { readonly kind: "absent" | "own" }
  | { readonly kind: "unreadable"; readonly what: string }
  | { readonly kind: "link"; readonly source: unknown };

async function readNote(file: string): Promise<Note> {
  try {
    const text = await new DescriptorWait().attempt(() => readRegularFile(file, MOST_BYTES));
    const { type, source }: { type?: unknown; source?: unknown } = JSON.parse(text) ?? {};
    return type === "link" ? { kind: "link", source } : { kind: "own" };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return { kind: "absent" };
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: "unreadable", what: `It is not known whether this extension is linked: ${reason}.` };
  }
}

function realFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}
