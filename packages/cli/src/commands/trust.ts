import { resolve } from "node:path";
import { HooklineError, needsTrust, TrustStore } from "@hookline/engine";
import { colours } from "../colour.ts";
import { ExitCode } from "../exitCode.ts";
import type { Io } from "../io.ts";
import { readSettings } from "../openProject.ts";
import { counted } from "../table.ts";
import { type ExaminedHook, examineTrust, goneHooks } from "../trust/examineTrust.ts";
import { trustQuestion } from "../trust/trustPolicy.ts";
import { trustView } from "../trust/trustView.ts";
import { visible, visibleJson } from "../visible.ts";
import type { Command } from "./command.ts";

export const trust: Command = {
  name: "trust",
  summary: "look at what a project's hooks would start, and decide",
  details:
    "Trust is kept in your home folder. It covers a hook's definition and the script it starts: when either changes,\nyou are asked again.",
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
    const { projectRoot, hooks } = await readSettings(io, dir === undefined ? io.cwd : resolve(io.cwd, dir));
    if (options.revoke) return revoke(store, projectRoot, io, json);

    const trusted = store.read(projectRoot);
    const examined = examineTrust(hooks.filter(needsTrust), trusted);
    const gone = goneHooks(examined, trusted);
    const open = examined.filter(({ state }) => state !== "trusted");
    if (!json) io.stdout(overview(examined, gone, projectRoot, io));
    const agreed =
      open.length > 0 && (options.yes === true || (await asked(io, open.length, projectRoot, { json, dir })));
    if (agreed) {
      assertUnchanged(examined, projectRoot);
      store.write(projectRoot, new Map(examined.map(({ print, hook }) => [print, hook])));
    }
    const isTrusted = agreed || open.length === 0;
    if (json) io.stdout(`${visibleJson({ projectRoot, trusted: isTrusted, hooks: examined.map(asJson), gone })}\n`);
    else if (agreed) io.stdout(`${colours(io).green("✓")} ${counted(examined.length, "hook")} trusted\n`);
    else if (open.length > 0) io.stdout("Nothing is trusted; these hooks do not run.\n");
    return isTrusted ? ExitCode.fine : ExitCode.failure;
  },
};

function overview(examined: readonly ExaminedHook[], gone: ReturnType<typeof goneHooks>, root: string, io: Io): string {
  const { bold, dim } = colours(io);
  const isOpen = examined.some(({ state }) => state !== "trusted");
  const lines = [
    bold(visible(root)),
    ...trustView(examined, root, io),
    ...gone.map(({ name, event }) =>
      dim(`gone ${visible(name)} on ${visible(event)}: trusted earlier, no longer declared`),
    ),
    ...(examined.length === 0
      ? ["No hook of this project needs trust."]
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

async function asked(io: Io, hooks: number, projectRoot: string, { json, dir }: How): Promise<boolean> {
  if (io.interactive && !json) return io.confirm(trustQuestion(hooks, projectRoot));
  if (json) return false;
  const what = `${counted(hooks, "hook")} of this project ${hooks === 1 ? "is" : "are"} not trusted, and nobody is here to ask.`;
  const next = `Look at them above, then run \`hookline trust --yes${dir === undefined ? "" : ` ${dir}`}\`.`;
  throw new HooklineError({ code: "TRUST_REQUIRED", where: { file: projectRoot }, what, next });
}

/** What a person has looked at is what is stored, or nothing. */
function assertUnchanged(examined: readonly ExaminedHook[], projectRoot: string): void {
  const now = examineTrust(
    examined.map(({ hook }) => hook),
    { projectRoot, hooks: {} },
  );
  const changed = examined.find(({ print }, index) => print !== now[index]?.print);
  if (!changed) return;
  const what = `"${changed.hook.name}" was changed while you looked at it; nothing was trusted.`;
  throw new HooklineError({ code: "HOOK_CHANGED", where: changed.hook.place, what });
}

function listTrusted(store: TrustStore, io: Io, json: boolean): number {
  const { bold, dim } = colours(io);
  const projects = store.list().map(({ projectRoot, hooks }) => ({ projectRoot, hooks: Object.values(hooks) }));
  const lines = projects.flatMap(({ projectRoot, hooks }) => [
    bold(visible(projectRoot)),
    ...hooks.map(
      ({ name, event, trustedAt }) =>
        `  ${visible(name)} on ${visible(event)} ${dim(`since ${trustedAt.slice(0, 10)}`)}`,
    ),
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

function asJson({ hook, state, files }: ExaminedHook): unknown {
  const { name, eventName, place, matcher, match, env, passEnv, target } = hook;
  return {
    name,
    event: eventName,
    state,
    source: place,
    ...target?.fields,
    matcher: matcher ?? null,
    match,
    env,
    passEnv,
    files: files.map(({ file, sha256 }) => ({ file, sha256: sha256 ?? null })),
    uncovered: target?.uncovered ?? [],
  };
}
