import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds README.md. */
export const ROOT = fileURLToPath(new URL("../", import.meta.url));

export function readText(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** Every file under a folder, by its path from the root of the repository, sorted. */
export function filesIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("node_modules"))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();
}

/** The rows of every table in a Markdown text, as cells; head and rule left out. */
export function tableRows(markdown: string): readonly (readonly string[])[] {
  const lines = markdown.split("\n");
  return lines.flatMap((line, index) => {
    if (!line.startsWith("|") || isRule(line) || isRule(lines[index + 1] ?? "")) return [];
    return [
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("\\|", "|")),
    ];
  });
}

const isRule = (line: string) => /^\|[\s:|-]+\|$/.test(line);
