import { enumerated, type HookRegistryEntry, type Problem } from "@hookline/engine";
import { checkHooks } from "../checks/index.ts";
import { colours } from "../colour.ts";
import { ExitCode } from "../exitCode.ts";
import type { Io } from "../io.ts";
import { abilityJson, abilityTable, listAbilities } from "../list/abilityList.ts";
import { type LastList, listLast } from "../list/lastOutcomeList.ts";
import { matchSummary } from "../matchSummary.ts";
import { openProject, type Project } from "../openProject.ts";
import { showLine } from "../showPlace.ts";
import { placeOf } from "../state/placeOf.ts";
import { aligned, type Cell, counted } from "../table.ts";
import { listServers, serverJson, serverTable } from "../tools/mcp/serverList.ts";
import { shortened, visible, visibleJson } from "../visible.ts";
import type { Command } from "./command.ts";

export const list: Command = {
  name: "list",
  summary: "show every hook, its last outcome, and why those that are off do not run",
  parameters: [],
  options: [],
  examples: [
    ["hookline list", "every hook, MCP server and ability of this project, of yours and of the system"],
    ["hookline list --json | jq '.hooks[] | select(.enabled | not)'", "those that do not run"],
  ],
  async run(io, { options }) {
    const project = await openProject(io, { trust: "skip", starts: ["servers", "abilities"] });
    const problems = [...project.loaded.problems, ...(await checkHooks(project.loaded))];
    const last = await listLast(placeOf(io, project.loaded), io);
    const listed = { ...project, problems, last };
    const lines = options.json ? [visibleJson(asJson(listed))] : asText(listed, io);
    io.stdout(`${lines.join("\n")}\n`);
    return ExitCode.fine;
  },
};

interface Listed extends Project {
  readonly problems: readonly Problem[];
  readonly last: LastList;
}

const HEAD = ["id", "event_type", "enabled", "blocking", "match_summary", "last", "source"];
const LONGEST_NAME = 48;

function asText({ system, loaded, problems, last }: Listed, io: Io): string[] {
  const { bold, dim, yellow, red } = colours(io);
  const entries = system.getRegistry().getAllHooks();
  const { notices, untrusted, untrustedServers, untrustedAbilities } = system.getStatus();
  const unasked = [
    ...(untrusted.length === 0 ? [] : [counted(untrusted.length, "hook")]),
    ...(untrustedServers.length === 0 ? [] : [counted(untrustedServers.length, "MCP server")]),
    ...(untrustedAbilities.length === 0 ? [] : [counted(untrustedAbilities.length, "ability", "abilities")]),
  ];
  const bases = { projectRoot: loaded.projectRoot, homeDir: io.homeDir };
  const styleOf = { true: undefined, false: dim, untrusted: yellow, broken: red };
  const rows = entries.map(({ config }): Cell[] => {
    const state = stateOf(config);
    const style = styleOf[state];
    return [
      shortened(config.name, LONGEST_NAME),
      config.eventName,
      style ? { text: state, style } : state,
      config.mode === "observe" ? "observes" : String(config.blocking),
      shortened(matchSummary(config), LONGEST_NAME),
      last.cell(config),
      { text: showLine(config.place, bases), style: dim },
    ];
  });
  const [head = "", ...body] = aligned([HEAD.map((text) => ({ text, style: bold })), ...rows]);
  const table = body.flatMap((line, index) => {
    const { off } = entries[index]?.config ?? {};
    // Trust is given to a project as a whole: it is said once, below.
    return off === undefined || off.kind === "untrusted"
      ? [line]
      : [line, dim(`  off: ${visible(reasonOf(entries[index]) ?? "")}`)];
  });
  return [
    ...(entries.length === 0 ? ["No hooks are declared here."] : [head, ...table]),
    ...serverTable(listServers(loaded, system), loaded.projectRoot, io),
    ...abilityTable(listAbilities(loaded, system), loaded.projectRoot, io),
    ...[...outside({ system, loaded }).map(({ where, what }) => `${showLine(where, bases)}: ${what}`), ...notices].map(
      (text) => yellow(`! ${visible(text)}`),
    ),
    ...(unasked.length === 0 ? [] : ["", yellow(`${enumerated(unasked)} not trusted: run \`hookline trust\``)]),
    ...(problems.length === 0 ? [] : [...(unasked.length === 0 ? [""] : []), problemCount(problems, yellow)]),
  ];
}

/** Hooks, servers and abilities further out in the work tree: declared, and not loaded from here. */
function outside({ loaded }: Project): readonly Problem[] {
  const read = new Set(loaded.layers.map(({ file }) => file));
  return loaded.problems.filter(({ where, severity }) => severity === "warning" && !read.has(where.file));
}

function problemCount(problems: readonly Problem[], style: (text: string) => string): string {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const parts = [
    ...(errors > 0 ? [counted(errors, "error")] : []),
    ...(problems.length > errors ? [counted(problems.length - errors, "warning")] : []),
  ];
  return style(`${parts.join(", ")}: run \`hookline validate\``);
}

type State = "true" | "false" | "untrusted" | "broken";

function stateOf({ off }: HookRegistryEntry["config"]): State {
  if (off === undefined) return "true";
  return off.kind === "switch" ? "false" : off.kind;
}

function reasonOf(entry: HookRegistryEntry | undefined): string | undefined {
  const off = entry?.config.off;
  if (off === undefined) return undefined;
  const held = entry?.config.onError === "block" ? "; it blocks on failure, so its events are blocked" : "";
  return off.kind === "broken" ? `${off.problem.what}${held}` : off.what;
}

function asJson({ system, loaded, problems, last }: Listed): unknown {
  const { notices } = system.getStatus();
  return {
    projectRoot: loaded.projectRoot,
    hooks: system
      .getRegistry()
      .getAllHooks()
      .map((entry) => {
        const { name, description, eventName, type, blocking, mode, onError, matcher, match, source, place } =
          entry.config;
        return {
          id: name,
          ...(description === undefined ? {} : { description }),
          event_type: eventName,
          enabled: entry.enabled,
          state:
            stateOf(entry.config) === "true" ? "on" : stateOf(entry.config) === "false" ? "off" : stateOf(entry.config),
          reason: reasonOf(entry) ?? null,
          blocking,
          mode,
          onError,
          type,
          match_summary: matchSummary(entry.config),
          matcher: matcher ?? null,
          match,
          last: last.json(entry.config),
          layer: source,
          source: place,
        };
      }),
    servers: listServers(loaded, system).map(serverJson),
    abilities: listAbilities(loaded, system).map(abilityJson),
    problems,
    notices,
  };
}
