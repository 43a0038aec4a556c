import { type AnyDeclaration, isHook, OUTDATED_TRUST, wordsOf } from "@hookline/engine/program";
import { DECLARATION_KINDS, kindNamed } from "../declarations/index.ts";
import type { Fact } from "../declarations/programKind.ts";
import { matchSummary } from "../project/matchSummary.ts";
import { colours } from "../terminal/colour.ts";
import { decisionLines, decisionText } from "../terminal/decisionText.ts";
import type { Io } from "../terminal/io.ts";
import { showFile, showLine } from "../terminal/showPlace.ts";
import { aligned, type Cell } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import type { CoveredFile, Examined } from "./examineTrust.ts";

const LARGEST_SHOWN_BYTES = 8 * 1024;
const MOST_LINES = 40;

/** Everything a user needs to see before trusting these declarations. */
export function trustView(examined: readonly Examined[], projectRoot: string, io: Io): string[] {
  const { bold, dim, green, yellow } = colours(io);
  const bases = { projectRoot, homeDir: io.homeDir };
  const mark = { new: yellow("new"), changed: yellow("changed"), trusted: green("trusted") };
  const seen = new Set<string>();
  return examined.flatMap((one) => {
    const { declared, state } = one;
    const head = `${mark[state]} ${heading(declared)} ${dim(showLine(declared.place, bases))}`;
    if (state === "trusted") return [head];
    return [head, ...aligned(facts(one, bases, io), "  "), ...(io.interactive ? one.files.flatMap(contentOf) : []), ""];
  });

  function heading(declared: AnyDeclaration): string {
    const name = bold(visible(declared.name));
    if (isHook(declared)) return `${name} on ${declared.eventName}`;
    return `${wordsOf(declared.kind, DECLARATION_KINDS).word} ${name}`;
  }

  function contentOf({ file, content }: CoveredFile): string[] {
    if (seen.has(file)) return [];
    seen.add(file);
    if (content === undefined) return [];
    if (content.length > LARGEST_SHOWN_BYTES || content.includes(0)) {
      const why = content.includes(0) ? "it is not text" : `it has ${content.length.toLocaleString("en-US")} bytes`;
      return [dim(`  ${showFile(file, bases)} is not shown: ${why}`)];
    }
    const lines = decisionLines(content.toString("utf8").trimEnd());
    const more = lines.length > MOST_LINES ? [dim(`  ┆ … ${lines.length - MOST_LINES} more lines`)] : [];
    const shown = lines.slice(0, MOST_LINES).map((line) => `${dim("  ┆")} ${line}`.trimEnd());
    return [dim(`  ${showFile(file, bases)}:`), ...shown, ...more];
  }
}

function facts({ declared, files, isOutdated }: Examined, bases: Parameters<typeof showFile>[1], io: Io): Cell[][] {
  const { dim, yellow } = colours(io);
  const { target, env, passEnv } = declared;
  const fact = (label: string, text: string): Cell[] => [{ text: label, style: dim }, text];
  return [
    ...(isOutdated ? [fact("why again", `trusted with hookline 0.1; ${OUTDATED_TRUST}`)] : []),
    // `argv` is the command again, as it is executed.
    ...Object.entries(target?.fields ?? {})
      .filter(([field]) => field !== "argv")
      .map(([field, value]) => fact(field, decisionText(asText(value)))),
    ...ownFacts(declared).map(([label, text]) => fact(label, decisionText(text))),
    ...Object.entries(env).map(([name, value]) => fact("env", decisionText(`${name}=${value}`))),
    ...(passEnv.length === 0 ? [] : [fact("passEnv", yellow(`it receives ${visible(passEnv.join(", "))}`))]),
    ...files.map(({ file, sha256 }) =>
      fact("covers", `${showFile(file, bases)} ${dim(sha256 ? `sha256 ${sha256.slice(0, 12)}` : "(unreadable)")}`),
    ),
    ...(target?.uncovered ?? []).map((word) =>
      fact("not covered", `${yellow(visible(word))} ${dim("can change without notice")}`),
    ),
  ];
}

/** When a hook runs; for other kinds, the facts from their table row. */
function ownFacts(declared: AnyDeclaration): readonly Fact[] {
  if (isHook(declared)) return [["runs for", matchSummary(declared)]];
  return kindNamed(declared.kind)?.trustFacts(declared) ?? [];
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
