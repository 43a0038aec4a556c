import { posix } from "node:path";
import { filesIn, readText } from "./repository.ts";

/** The sources of a package, and their folders and top files in order: each may import itself and what stands before it. */
export interface ImportLaw {
  readonly src: string;
  readonly rooms: readonly string[];
}

/** The rooms that a section of docs/how-it-works.md lists in its table. */
export function roomsIn(heading: string): readonly string[] {
  const page = readText("docs/how-it-works.md");
  const [, section = ""] = new RegExp(`^## ${heading}$(.*?)^## `, "ms").exec(page) ?? [];
  return [...section.matchAll(/^\| `([\w/]+?)(?:\/|\.ts)` /gm)].map(([, room = ""]) => room);
}

/** Sources that are in no room of the law, and rooms without a source. */
export function misplaced(law: ImportLaw): readonly string[] {
  const { src, rooms } = law;
  const files = sourcesIn(src);
  const used = new Set(files.map((file) => roomOf(law, file)));
  return [...files.filter((file) => roomOf(law, file) === undefined), ...rooms.filter((room) => !used.has(room))];
}

/** Imports of a room that stands later, or of a file outside of the package's sources. */
export function wrongImports(law: ImportLaw): readonly string[] {
  const rank = (path: string) => {
    const room = roomOf(law, path);
    return room === undefined ? Number.NaN : law.rooms.indexOf(room);
  };
  return sourcesIn(law.src).flatMap((file) =>
    importsOf(file)
      .filter((to) => !(rank(to) <= rank(file)))
      .map((to) => `${file} imports ${to}`),
  );
}

/** Files that import each other when they are loaded. Types and `import()` do not count: they are looked up later. */
export function cyclesIn(src: string): readonly string[] {
  const files = sourcesIn(src);
  const targets = new Map(files.map((file) => [file, loadedBy(file).filter((to) => files.includes(to))]));
  // What loads none of the others, and what none of them loads, is in no circle.
  for (let before = 0; before !== targets.size; ) {
    before = targets.size;
    const loaded = new Set([...targets.values()].flat());
    for (const [file, imports] of targets) {
      if (!loaded.has(file) || !imports.some((to) => targets.has(to))) targets.delete(file);
    }
  }
  return [...targets.keys()];
}

/** Imports of packages that package.json does not name, such as a package of ours that builds on this one. */
export function undeclaredImports(folder: string): readonly string[] {
  const { name, dependencies, peerDependencies, devDependencies } = JSON.parse(readText(`${folder}/package.json`));
  const declared = new Set([
    name,
    ...[dependencies, peerDependencies, devDependencies].flatMap((all) => Object.keys(all ?? {})),
  ]);
  return sourcesIn(`${folder}/src`).flatMap((file) =>
    specifiersIn(file)
      .map((specifier) => /^(?:@[^/]+\/)?[^/.:]+(?=\/|$)/.exec(specifier)?.[0])
      .filter((imported) => imported !== undefined && !declared.has(imported))
      .map((imported) => `${file} imports ${imported}`),
  );
}

/** Sources that start processes by themselves. */
export function startersIn(src: string): readonly string[] {
  return sourcesIn(src).filter((file) =>
    specifiersIn(file).some((specifier) => /^(?:node:)?child_process$/.test(specifier)),
  );
}

function loadedBy(file: string): readonly string[] {
  const types = /^(?:import|export) type [^;]*;$/gm;
  const specifiers = specifiersOf(
    readText(file)
      .replace(types, "")
      .replace(/\bimport\("[^"]+"\)/g, ""),
  );
  return specifiers.filter((to) => to.startsWith(".")).map((to) => posix.join(posix.dirname(file), to));
}

/** What a file imports by path, as paths from the root of the repository. */
export function importsOf(file: string): readonly string[] {
  const relative = specifiersIn(file).filter((specifier) => specifier.startsWith("."));
  return relative.map((to) => posix.join(posix.dirname(file), to));
}

/** Of static imports, exports of other modules, and `import()`. */
function specifiersIn(file: string): readonly string[] {
  return specifiersOf(readText(file));
}

function specifiersOf(source: string): readonly string[] {
  const found = source.matchAll(/^(?:import|export|\}).* from "([^"]+)";$|^import "([^"]+)";$|\bimport\("([^"]+)"\)/gm);
  return [...found].map(([, ...forms]) => forms.find((form) => form !== undefined) ?? "");
}

const sourcesIn = (src: string) => filesIn(src).filter((file) => file.endsWith(".ts"));

function roomOf({ src, rooms }: ImportLaw, path: string): string | undefined {
  return rooms.find((room) => path === `${src}/${room}.ts` || path.startsWith(`${src}/${room}/`));
}
