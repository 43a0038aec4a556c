import { resolve } from "node:path";
import { HooklineError } from "@hookline/engine";
import { type AnyDeclaration, isHook, type LoadedSettings, TrustStore } from "@hookline/engine/program";
import { assertMayDecide } from "../decisions/decide.ts";
import { declaredIn, reviewTrust, storeTrust, trustReviewText } from "../decisions/reviewTrust.ts";
import { DECLARATION_KINDS, kindNamed } from "../declarations/index.ts";
import { readSettings } from "../project/readSettings.ts";
import { colours } from "../terminal/colour.ts";
import type { Command } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { textIn } from "../terminal/optionValues.ts";
import { visible, visibleJson } from "../terminal/visible.ts";
import { calledIn, countedIn, type Examined } from "../trust/examineTrust.ts";
import { trustQuestion } from "../trust/trustPolicy.ts";

export const trust: Command = {
  name: "trust",
  summary: "review what a project's hooks would start, and decide whether to trust it",
  details:
    "Also shows MCP servers and abilities of the project. Trust is stored in your home folder. It covers a definition and the script it starts: when either changes,\nhookline asks again. Only a person at a terminal can grant or revoke trust; a script passes the fingerprint that it expects.",
  parameters: [{ name: "dir", description: "the project (default: this one)", completes: "folders" }],
  options: [
    { flags: "--yes", description: "trust without a question; still needs a terminal" },
    {
      flags: "--expect <fingerprint>",
      description: "trust the project only if it has this fingerprint; for scripts and images",
    },
    { flags: "--list", description: "show every project you trust" },
    { flags: "--revoke", description: "revoke the trust of this project" },
  ],
  examples: [
    ["hookline trust", "review, then answer yes or no"],
    ["hookline trust --yes", "for a project you know"],
    ["hookline trust --expect 1f0c…", "in a script, with the fingerprint that `hookline trust` printed"],
    ["hookline trust --revoke", "revoke it"],
  ],
  async run(io, { args: [dir], options }) {
    const store = new TrustStore(io.homeDir);
    const json = options.json === true;
    if (options.list) return listTrusted(store, io, json);
    const loaded = await readSettings(io, dir === undefined ? io.cwd : resolve(io.cwd, dir));
    const { projectRoot } = loaded;
    if (options.revoke) return revoke(store, loaded, io, json);

    const review = reviewTrust(loaded, io.homeDir);
    const { examined, gone, open, print } = review;
    if (!json) io.stdout(trustReviewText(review, io));
    const expected = textIn(options, "expect");
    if (expected !== undefined) assertExpected(expected, print, projectRoot);
    const isAgreed = options.yes === true || expected !== undefined;
    if (open.length > 0 && (isAgreed || (io.interactive && !json))) {
      const about = { fingerprint: print, trusts: open.map(({ name }) => name) };
      const decision = { command: "hookline trust", about, isExpected: expected !== undefined };
      await assertMayDecide(io, loaded, { ...decision, instead: inScript(print, dir) });
    }
    const agreed = open.length > 0 && (isAgreed || (await asked(io, open, { loaded, print, json, dir })));
    if (agreed) storeTrust(review, io.homeDir);
    const isTrusted = agreed || open.length === 0;
    if (json)
      io.stdout(`${visibleJson({ projectRoot, fingerprint: print, trusted: isTrusted, ...asJson(examined), gone })}\n`);
    else if (agreed) io.stdout(`${colours(io).green("✓")} ${countedIn(declaredIn(examined))} trusted\n`);
    else if (open.length > 0)
      io.stdout(`Nothing is trusted; ${countedIn(open)} ${open.length === 1 ? "does" : "do"} not run.\n`);
    return isTrusted ? ExitCode.ok : ExitCode.failure;
  },
};

interface How {
  readonly loaded: LoadedSettings;
  readonly print: string;
  readonly json: boolean;
  readonly dir: string | undefined;
}

async function asked(io: Io, open: readonly AnyDeclaration[], { loaded, print, json, dir }: How): Promise<boolean> {
  const { projectRoot } = loaded;
  if (io.interactive && !json) return io.confirm(trustQuestion(open, projectRoot));
  if (json) return false;
  const what = `${countedIn(open)} of this project ${open.length === 1 ? "is" : "are"} not trusted, and there is no terminal to ask for it.`;
  throw new HooklineError({ code: "TRUST_REQUIRED", where: { file: projectRoot }, what, next: inScript(print, dir) });
}

function inScript(print: string, dir: string | undefined): string {
  const folder = dir === undefined ? "" : ` ${dir}`;
  return `Run \`hookline trust${folder}\` in a terminal. In a script, run \`hookline trust${folder} --expect ${print}\` after a review.`;
}

function assertExpected(expected: string, print: string, projectRoot: string): void {
  if (expected === print) return;
  const what = `The fingerprint of this project is ${print}, not ${expected}; nothing was trusted.`;
  const next = "Review the changes, then pass the new fingerprint.";
  throw new HooklineError({ code: "HOOK_CHANGED", where: { file: projectRoot }, what, next });
}

function listTrusted(store: TrustStore, io: Io, json: boolean): number {
  const { bold, dim } = colours(io);
  const projects = store.list().map(({ projectRoot, hooks }) => ({ projectRoot, hooks: Object.values(hooks) }));
  const lines = projects.flatMap(({ projectRoot, hooks }) => [
    bold(visible(projectRoot)),
    ...hooks.map((entry) => `  ${calledIn(entry)} ${dim(`since ${entry.trustedAt.slice(0, 10)}`)}`),
  ]);
  if (json) io.stdout(`${visibleJson(projects)}\n`);
  else io.stdout(`${(lines.length === 0 ? ["No project is trusted."] : lines).join("\n")}\n`);
  return ExitCode.ok;
}

async function revoke(store: TrustStore, loaded: LoadedSettings, io: Io, json: boolean): Promise<number> {
  const { projectRoot } = loaded;
  await assertMayDecide(io, loaded, { command: "hookline trust --revoke", about: {} });
  const revoked = store.revoke(projectRoot);
  const text = revoked ? `${visible(projectRoot)} is no longer trusted.` : `${visible(projectRoot)} was not trusted.`;
  io.stdout(json ? `${visibleJson({ projectRoot, revoked })}\n` : `${text}\n`);
  return ExitCode.ok;
}

function asJson(examined: readonly Examined[]) {
  const ofKind = (kind: string) => examined.filter(({ declared }) => declared.kind === kind).map(entryJson);
  const others = DECLARATION_KINDS.map(({ kind, jsonKey }) => [jsonKey, ofKind(kind)]);
  return { hooks: ofKind("hook"), ...Object.fromEntries(others) };
}

function entryJson({ declared, state, files }: Examined) {
  const { name, place, env, passEnv, target } = declared;
  return {
    name,
    ...(isHook(declared) ? { event: declared.eventName } : {}),
    state,
    source: place,
    ...target?.fields,
    ...ownFields(declared),
    env,
    passEnv,
    files: files.map(({ file, sha256 }) => ({ file, sha256: sha256 ?? null })),
    uncovered: target?.uncovered ?? [],
  };
}

function ownFields(declared: AnyDeclaration): object {
  if (isHook(declared)) return { matcher: declared.matcher ?? null, match: declared.match };
  return kindNamed(declared.kind)?.trustJson(declared) ?? {};
}
