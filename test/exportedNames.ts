import { posix } from "node:path";
import { readText } from "./repository.ts";

const LISTS = /^export (?:type )?\{([^}]*)\}/gm;
const STARS = /^export (?:type )?\* from "([^"]+)";$/gm;
const DECLARATIONS = /^export (?:abstract |async )?(?:class|const|enum|function\*?|interface|type) (\w+)/gm;

/** The names that an entry point hands out, also those of the files that it exports with a star. */
export function exportedNames(file: string): readonly string[] {
  const text = readText(file);
  const listed = [...text.matchAll(LISTS)].flatMap(([, names = ""]) => names.split(",").map(exportedAs));
  const declared = [...text.matchAll(DECLARATIONS)].map(([, name = ""]) => name);
  const starred = [...text.matchAll(STARS)].flatMap(([, to = ""]) =>
    exportedNames(posix.join(posix.dirname(file), to)),
  );
  return [...listed, ...declared, ...starred].filter((name) => name !== "");
}

/** `type Name`, `name as other`. */
function exportedAs(item: string): string {
  return item
    .trim()
    .replace(/^type /, "")
    .replace(/^.* as /, "");
}

/** The sources of the entry points that package.json exports. */
export function entryFiles(folder: string): readonly string[] {
  const { exports } = JSON.parse(readText(`${folder}/package.json`));
  return Object.values<string | { readonly types: string }>(exports).flatMap((entry) =>
    typeof entry === "string" ? [] : [entry.types.replace(/^\.\/dist\//, "src/").replace(/\.d\.ts$/, ".ts")],
  );
}
