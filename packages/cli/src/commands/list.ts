import { enumerated, type HookRegistryEntry, type Problem } from "@hookline/engine/program";
import { placeOf } from "@hookline/journal";
import { checkHooks } from "../checks/index.ts";
import { DECLARATION_KINDS } from "../declarations/index.ts";
import { fits, HOOK_STATES, readHookFilter, stateOf } from "../list/hookFilter.ts";
import { type LastList, listLast } from "../list/lastOutcomeList.ts";
import { type ListedKind, listOthers, othersJson, otherTable } from "../list/otherList.ts";
import { matchSummary } from "../project/matchSummary.ts";
import { type OpenHooks, openHooks } from "../project/openHooks.ts";
import { upgradeNotices } from "../state/upgradeNotices.ts";
import { colours } from "../terminal/colour.ts";
import type { Command } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { noticeTo } from "../terminal/notice.ts";
import { showLine } from "../terminal/showPlace.ts";
import { aligned, type Cell, counted } from "../terminal/table.ts";
import { shortened, visible, visibleJson } from "../terminal/visible.ts";

export const list: Command = {
  name: "list",
  summary: "show every hook, its last outcome, and why it is off",
  details: "With options, shows only hooks, and only those that match every option.",
  parameters: [],
  options: [
    { flags: "--event <name>", description: "only hooks on this event", completes: "events" },
    { flags: "--hook <text>", description: "only hooks whose name contains this text", completes: "hooks" },
    { flags: "--state <state>", description: `only ${HOOK_STATES.join(", ")}`, completes: HOOK_STATES },
  ],
  examples: [
    ["hookline list --event BeforeTool --state on", "which hooks guard tools now"],
    ["hookline list", "every hook, MCP server and ability of the project, the user and the system"],
    ["hookline list --json | jq '.hooks[] | select(.enabled | not)'", "hooks that do not run"],
  ],
  async run(io, { options }) {
    const filter = readHookFilter(options);
    const project = await openHooks(io, { trust: "skip", unreadSettings: "ignore", starts: DECLARATION_KINDS });
    const problems = [...project.loaded.problems, ...(await checkHooks(project.loaded))];
    upgradeNotices(io, project.loaded).forEach(noticeTo(io));
    const last = await listLast(placeOf(io, project.loaded), io);
    const isAll = Object.keys(filter).length === 0;
    const entries = project.system
      .getRegistry()
      .getAllHooks()
      .filter((entry) => fits(entry, filter));
    const others = listOthers(project.loaded, project.system).map((listed) =>
      isAll ? listed : { ...listed, all: [] },
    );
    const listed = { ...project, entries, others, isAll, problems, last };
    const lines = options.json ? [visibleJson(asJson(listed))] : asText(listed, io);
    io.stdout(`${lines.join("\n")}\n`);
    return ExitCode.ok;
  },
};

interface Listed extends OpenHooks {
  readonly entries: readonly HookRegistryEntry[];
  readonly others: readonly ListedKind[];
  /** The list is unfiltered. */
  readonly isAll: boolean;
  readonly problems: readonly Problem[];
  readonly last: LastList;
}

const HEAD = ["id", "event_type", "enabled", "blocking", "match_summary", "last", "source"];
const LONGEST_NAME = 48;
const SHOWN_STATES = { on: "true", off: "false", untrusted: "untrusted", broken: "broken" };

function asText({ system, loaded, problems, last, entries, others, isAll }: Listed, io: Io): string[] {
  const { bold, dim, yellow, red } = colours(io);
  const { notices, untrusted, untrustedOthers } = system.getStatus();
  const unasked = [
    ...(untrusted.length === 0 ? [] : [counted(untrusted.length, "hook")]),
    ...DECLARATION_KINDS.flatMap(({ kind, words }) => {
      const { length } = untrustedOthers.filter((one) => one.kind === kind);
      return length === 0 ? [] : [counted(length, words.word, words.many)];
    }),
  ];
  const bases = { projectRoot: loaded.projectRoot, homeDir: io.homeDir };
  const styleOf = { on: undefined, off: dim, untrusted: yellow, broken: red };
  const rows = entries.map(({ config }): Cell[] => {
    const state = stateOf(config);
    const style = styleOf[state];
    const shown = SHOWN_STATES[state];
    return [
      shortened(config.name, LONGEST_NAME),
      config.eventName,
      style ? { text: shown, style } : shown,
      config.mode === "observe" ? "observes" : String(config.blocking),
      shortened(matchSummary(config), LONGEST_NAME),
      last.cell(config),
      { text: showLine(config.place, bases), style: dim },
    ];
  });
  const [head = "", ...body] = aligned([HEAD.map((text) => ({ text, style: bold })), ...rows]);
  const table = body.flatMap((line, index) => {
    const { off } = entries[index]?.config ?? {};
    // Trust applies to the whole project, so report it once, below.
    return off === undefined || off.kind === "untrusted"
      ? [line]
      : [line, dim(`  off: ${visible(reasonOf(entries[index]) ?? "")}`)];
  });
  return [
    ...(entries.length > 0 ? [head, ...table] : [isAll ? "No hooks are declared here." : "No hook matches."]),
    ...others.flatMap((listed) => otherTable(listed, loaded.projectRoot, io)),
    ...[...outside({ loaded }).map(({ where, what }) => `${showLine(where, bases)}: ${what}`), ...notices].map((text) =>
      yellow(`! ${visible(text)}`),
    ),
    ...(unasked.length === 0 ? [] : ["", yellow(`${enumerated(unasked)} not trusted: run \`hookline trust\``)]),
    ...(problems.length === 0 ? [] : [...(unasked.length === 0 ? [""] : []), problemCount(problems, yellow)]),
  ];
}

/** Declarations further out in the work tree, which are not loaded from here. */
function outside({ loaded }: Pick<OpenHooks, "loaded">): readonly Problem[] {
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

function reasonOf(entry: HookRegistryEntry | undefined): string | undefined {
  const off = entry?.config.off;
  if (off === undefined) return undefined;
  const held = entry?.config.onError === "block" ? "; it blocks on failure, so its events are blocked" : "";
  return off.kind === "broken" ? `${off.problem.what}${held}` : off.what;
}

function asJson({ system, loaded, problems, last, entries, others }: Listed): unknown {
  const { notices } = system.getStatus();
  return {
    projectRoot: loaded.projectRoot,
    hooks: entries.map((entry) => {
      const { name, description, eventName, type, blocking, mode, onError, matcher, match, source, place } =
        entry.config;
      return {
        id: name,
        ...(description === undefined ? {} : { description }),
        event_type: eventName,
        enabled: entry.enabled,
        state: stateOf(entry.config),
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
    ...othersJson(others),
    problems,
    notices,
  };
}
