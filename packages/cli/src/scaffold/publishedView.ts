import { join, relative } from "node:path";
import { colours } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";
import { aligned } from "../terminal/table.ts";
import { visible, visibleJson } from "../terminal/visible.ts";
import type { Published } from "./publish.ts";

/** A command and its purpose. */
export type Step = readonly [command: string, meaning: string];

export function publishedView(published: Published, steps: readonly Step[], io: Io): string[] {
  const { bold, dim, green, yellow, cyan } = colours(io);
  const { projectRoot, files, notes } = published;
  return [
    ...files.map(({ path }) => `${green("✓")} ${visible(relative(io.cwd, join(projectRoot, path)))}`),
    ...notes.flatMap(({ what, next }) => [yellow(`! ${visible(what)}`), dim(`  ${visible(next)}`)]),
    "",
    bold("Next, in the project's folder"),
    ...aligned(
      steps.map(([command, meaning]) => [
        { text: command, style: cyan },
        { text: meaning, style: dim },
      ]),
      "  ",
    ),
  ];
}

export function publishedJson({ projectRoot, files, notes }: Published): string {
  const warnings = notes.map(({ what, next }) => ({ what, next }));
  return visibleJson({ projectRoot, files: files.map(({ path }) => path), warnings });
}
