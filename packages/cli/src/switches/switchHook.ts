import { join } from "node:path";
import { HooklineError } from "@hookline/engine";
import { didYouMean, type HookDeclaration, type LoadedSettings } from "@hookline/engine/program";
import { assertMayDecide } from "../decisions/decide.ts";
import { readSettings } from "../project/readSettings.ts";
import { colours } from "../terminal/colour.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { showFile, showLine, showPlace } from "../terminal/showPlace.ts";
import { visible, visibleJson } from "../terminal/visible.ts";
import { changeFile } from "./changeFile.ts";
import { withName, withoutName } from "./disabledList.ts";

interface SwitchRequest {
  readonly name: string;
  readonly on: boolean;
  readonly json: boolean;
}

/** Switches all hooks of this name that it may, and lists those it may not. */
export async function switchHook(io: Io, { name, on, json }: SwitchRequest): Promise<number> {
  const before = await readSettings(io);
  const bearers = before.hooks.filter((hook) => hook.name === name);
  if (bearers.length === 0) throw unknownHook(name, before);
  const command = `hookline ${on ? "enable" : "disable"} ${name}`;
  await assertMayDecide(io, before, { command, about: { hook: name, on } });

  const changed: string[] = [];
  for (const file of filesFor(bearers, on, before.projectRoot, io)) {
    const edit = on ? withoutName : withName;
    if (await changeFile(file, "{}\n", (text) => edit(text, name, file))) changed.push(file);
  }
  const after = changed.length === 0 ? before : await readSettings(io);
  const now = after.hooks.filter((hook) => hook.name === name);
  const resisting = now.filter((hook) => (on ? hook.off !== undefined : hook.off?.kind !== "switch"));
  const report = { name, on, changed, now, resisting, bases: { projectRoot: after.projectRoot, homeDir: io.homeDir } };
  io.stdout(json ? `${visibleJson(asJson(report))}\n` : `${asText(report, io).join("\n")}\n`);
  return resisting.length > 0 ? ExitCode.failure : ExitCode.ok;
}

/** Switching on needs both files: a project hook may be off in either. */
function filesFor(bearers: readonly HookDeclaration[], on: boolean, projectRoot: string, { homeDir }: Io): string[] {
  const [project, user] = [projectRoot, homeDir].map((folder) => join(folder, ".hookline", "settings.json"));
  const sources = new Set(bearers.map(({ source }) => source));
  const isMine = sources.has("user") || sources.has("extensions");
  return [
    ...(project !== undefined && sources.has("project") ? [project] : []),
    ...(user !== undefined && (isMine || (on && sources.has("project"))) ? [user] : []),
  ];
}

interface Report {
  readonly name: string;
  readonly on: boolean;
  readonly changed: readonly string[];
  readonly now: readonly HookDeclaration[];
  readonly resisting: readonly HookDeclaration[];
  readonly bases: { readonly projectRoot: string; readonly homeDir: string };
}

function asText({ name, on, changed, now, resisting, bases }: Report, io: Io): string[] {
  const { green, red, dim } = colours(io);
  const state = on ? "on" : "off";
  const obeying = now.filter((hook) => !resisting.includes(hook));
  const already = changed.length === 0 ? " already" : "";
  return [
    ...obeying.map(({ eventName, place }) =>
      [green("✓"), visible(name), `(${eventName})`, `is${already} ${state}`, dim(showLine(place, bases))].join(" "),
    ),
    ...resisting.flatMap((hook) => [
      [
        red("✗"),
        visible(name),
        `(${hook.eventName})`,
        `stays ${on ? "off" : "on"}`,
        dim(showLine(hook.place, bases)),
      ].join(" "),
      dim(`  ${visible(whyNot(hook, bases))}`),
    ]),
    ...changed.map((file) => dim(`  wrote ${showFile(file, bases)}`)),
  ];
}

function whyNot({ source, off }: HookDeclaration, bases: Report["bases"]): string {
  switch (off?.kind) {
    case "switch":
      return `${off.what} at ${showPlace(off.by, bases)}; change it there`;
    case "broken":
      return `it is broken: ${off.problem.what}`;
    case "untrusted":
      return off.what;
    case undefined:
      return `a ${source} hook; neither your settings nor the project's can switch it`;
  }
}

function asJson({ name, on, changed, now, resisting, bases }: Report): unknown {
  return {
    name,
    wanted: on ? "on" : "off",
    changed,
    bearers: now.map((hook) => ({
      event: hook.eventName,
      layer: hook.source,
      source: hook.place,
      state: hook.off === undefined ? "on" : hook.off.kind === "switch" ? "off" : hook.off.kind,
      ...(resisting.includes(hook) ? { reason: whyNot(hook, bases) } : {}),
    })),
  };
}

function unknownHook(name: string, { hooks }: LoadedSettings): HooklineError {
  const names = hooks.map((hook) => hook.name);
  return new HooklineError({ code: "HOOK_UNKNOWN", what: `No hook is called "${name}".${didYouMean(name, names)}` });
}
