import { statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { packageFile } from "../packageFile.ts";
import { colours } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";
import { aligned } from "../terminal/table.ts";

/** Commands to type next. `kept` is the project folder if it still exists. */
export function nextStepsView(io: Io, kept: string | undefined): string[] {
  const { bold, dim, cyan } = colours(io);
  const command = (text: string, meaning: string) => [
    { text, style: cyan },
    { text: meaning, style: dim },
  ];
  const alias = isInstalled(io.env.PATH) ? [] : [`  ${cyan(`alias hookline=${quoted(program())}`)}`];
  const rows = [
    kept === undefined
      ? command("hookline demo --keep", "keep the project; then, in its folder:")
      : command(`cd ${quoted(kept)}`, ""),
    command("hookline list", "its hooks, and where they are declared"),
    command("hookline trust", "review what they start, and allow it"),
    command("hookline explain BeforeTool write_file", "which of them would run, and why"),
    command('hookline run -p "What is here?"', "a real model (needs GEMINI_API_KEY)"),
  ];
  return [bold("Try next"), ...alias, ...aligned(rows, "  ")];
}

/** Ignores npm and npx, which put a program on PATH only while they run. */
function isInstalled(path = ""): boolean {
  const folders = path.split(delimiter).filter((folder) => !/node_modules[/\\]\.bin[/\\]?$/.test(folder));
  return folders.some((folder) => statSync(join(folder, "hookline"), { throwIfNoEntry: false })?.isFile());
}

function program(): string {
  return `node ${quoted(packageFile("bin/hookline.js"))}`;
}

/** Quotes a word for a shell. */
function quoted(text: string): string {
  return /^[\w./@+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
