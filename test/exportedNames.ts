import { readText } from "./repository.ts";

/** The names that a file of re-exports hands out. */
export function exportedNames(file: string): readonly string[] {
  return [...readText(file).matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
    names
      .split(",")
      .map((name) => name.trim().replace(/^type /, ""))
      .filter((name) => name !== ""),
  );
}
