import { resolve } from "node:path";
import {
  type AnyDeclaration,
  type DeclarationKind,
  HooklineError,
  kindOf,
  needsTrust,
  TrustStore,
} from "@hookline/engine";
import { colours } from "../colour.ts";
import { ExitCode } from "../exitCode.ts";
import type { Io } from "../io.ts";
import { readSettings } from "../openProject.ts";
import { calledIn, countedIn, type Examined, examineTrust, goneEntries } from "../trust/examineTrust.ts";
import { trustQuestion } from "../trust/trustPolicy.ts";
import { trustView } from "../trust/trustView.ts";
import { visible, visibleJson } from "../visible.ts";
import type { Command } from "./command.ts";

export const trust: Command = {
  name: "trust",
  summary: "look at what a project's hooks would start, and decide",
  details:
    "MCP servers and abilities of the project are shown too. Trust is kept in your home folder. It covers a definition and the script it starts: when either changes,\nyou are asked again.",
  parameters: [{ name: "dir", description: "the project (default: this one)", completes: "folders" }],
  options: [
    { flags: "--yes", description: "trust without being asked" },
    { flags: "--list", description: "show every project you trust" },
    { flags: "--revoke", description: "take this project's trust back" },
  ],
  examples: [
    ["hookline trust", "look, then answer yes or no"],
    ["hookline trust --yes", "in a script, for a project you know"],
    ["hookline trust --revoke", "forget this project"],
  ],
  async run(io, { args: [dir], options }) {
    const store = new TrustStore(io.homeDir);
    const json = options.json === true;
    if (options.list) return listTrusted(store, io, json);
    const loaded = await readSettings(io, dir === undefined ? io.cwd : resolve(io.cwd, dir));
    const { projectRoot } = loaded;
    if (options.revoke) return revoke(store, projectRoot, io, json);

    const trusted = store.read(projectRoot);
    const all = [...loaded.hooks, ...loaded.servers, ...loaded.abilities];
    const examined = examineTrust(all.filter(needsTrust), trusted);
    const gone = goneEntries(examined, trusted);
    const open = examined.filter(({ state }) => state !== "trusted");
    if (!json) io.stdout(overview(examined, gone, projectRoot, io));
    const agreed =
      open.length > 0 && (options.yes === true || (await asked(io, declaredIn(open), projectRoot, { json, dir })));
    if (agreed) {
      assertUnchanged(examined, projectRoot);
      store.write(projectRoot, new Map(examined.map(({ print, declared }) => [print, declared])));
    }
    const isTrusted = agreed || open.length === 0;
    if (json) io.stdout(`${visibleJson({ projectRoot, trusted: isTrusted, ...asJson(examined), gone })}\n`);
    else if (agreed) io.stdout(`${colours(io).green("✓")} ${countedIn(declaredIn(examined))} trusted\n`);
    else if (open.length > 0)
      io.stdout(`Nothing is trusted; ${countedIn(declaredIn(open))} ${open.length === 1 ? "does" : "do"} not run.\n`);
    return isTrusted ? ExitCode.fine : ExitCode.failure;
  },
};

const declaredIn = (examined: readonly Examined[]) => examined.map(({ declared }) => declared);

function overview(examined: readonly Examined[], gone: ReturnType<typeof goneEntries>, root: string, io: Io): string {
  const { bold, dim } = colours(io);
  const isOpen = examined.some(({ state }) => state !== "trusted");
  const lines = [
    bold(visible(root)),
    ...trustView(examined, root, io),
    ...gone.map((entry) => dim(`gone ${calledIn(entry)}: trusted earlier, no longer declared`)),
    ...(examined.length === 0
      ? ["Nothing in this project needs trust."]
      : isOpen
        ? []
        : ["Everything here is trusted."]),
  ];
  return `${lines.join("\n")}\n`;
}

interface How {
  readonly json: boolean;
  readonly dir: string | undefined;
}

async function asked(
  io: Io,
  open: readonly AnyDeclaration[],
  projectRoot: string,
  { json, dir }: How,
): Promise<boolean> {
  if (io.interactive && !json) return io.confirm(trustQuestion(open, projectRoot));
  if (json) return false;
  const what = `${countedIn(open)} of this project ${open.length === 1 ? "is" : "are"} not trusted, and nobody is here to ask.`;
  const next = `Look at them above, then run \`hookline trust --yes${dir === undefined ? "" : ` ${dir}`}\`.`;
  throw new HooklineError({ code: "TRUST_REQUIRED", where: { file: projectRoot }, what, next });
}

/** What a person has looked at is what is stored, or nothing. */
function assertUnchanged(examined: readonly Examined[], projectRoot: string): void {
  const now = examineTrust(declaredIn(examined), { projectRoot, hooks: {} });
  const changed = examined.find(({ print }, index) => print !== now[index]?.print);
  if (!changed) return;
  const { name, place: where } = changed.declared;
  const what = `"${name}" was changed while you looked at it; nothing was trusted.`;
  throw new HooklineError({ code: "HOOK_CHANGED", where, what });
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
  return ExitCode.fine;
}

function revoke(store: TrustStore, projectRoot: string, io: Io, json: boolean): number {
  const revoked = store.revoke(projectRoot);
  const text = revoked ? `${visible(projectRoot)} is no longer trusted.` : `${visible(projectRoot)} was not trusted.`;
  io.stdout(json ? `${visibleJson({ projectRoot, revoked })}\n` : `${text}\n`);
  return ExitCode.fine;
}

function asJson(examined: readonly Examined[]) {
  const kinds: Record<DeclarationKind, unknown[]> = { hooks: [], servers: [], abilities: [] };
  for (const { declared, state, files } of examined) {
    const { name, place, env, passEnv, target } = declared;
    kinds[kindOf(declared)].push({
      name,
      ...("eventName" in declared ? { event: declared.eventName } : {}),
      state,
      source: place,
      ...target?.fields,
      ...ownFields(declared),
      env,
      passEnv,
      files: files.map(({ file, sha256 }) => ({ file, sha256: sha256 ?? null })),
      uncovered: target?.uncovered ?? [],
    });
  }
  return kinds;
}

function ownFields(declared: AnyDeclaration) {
  if ("eventName" in declared) return { matcher: declared.matcher ?? null, match: declared.match };
  if ("operationKeys" in declared) {
    const { operationKeys, environments, writes } = declared;
    return { operation_keys: operationKeys, environments, writes };
  }
  return { includeTools: declared.includeTools ?? null, excludeTools: declared.excludeTools };
}
