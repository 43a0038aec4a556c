import { scrubEnvironment } from "@hookline/engine/process";
import {
  type HookDeclaration,
  type HookRegistryEntry,
  KNOWN_TOOLS,
  type LoadedSettings,
  namesOf,
  type PlannedHook,
} from "@hookline/engine/program";
import { explainHost, hostExplanationText } from "../hosts/explainHost.ts";
import { HOST_NAMES } from "../hosts/seats.ts";
import { overridden, subjectIn } from "../project/eventInput.ts";
import { eventNamed } from "../project/eventNamed.ts";
import { openHooks } from "../project/openHooks.ts";
import { settingsErrors, settingsErrorsView } from "../project/settingsErrors.ts";
import { type Colours, colours } from "../terminal/colour.ts";
import type { Command } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { showLine } from "../terminal/showPlace.ts";
import { aligned, type Cell } from "../terminal/table.ts";
import { shortened, visible, visibleJson } from "../terminal/visible.ts";

export const explain: Command = {
  name: "explain",
  summary: "show which hooks would run for an event, and why the others would not",
  details:
    "Runs nothing. The default subject is that of the event's sample. Conditions of YAML hooks test the sample's fields,\nwhich key=value changes.",
  parameters: [
    { name: "event", description: "the event", required: true, completes: "events" },
    { name: "subject", description: "the tool, trigger or ability; and key=value for other fields", many: true },
  ],
  options: [
    { flags: "--host <agent>", description: "and what another agent can do with the answer", completes: HOST_NAMES },
  ],
  examples: [
    ["hookline explain BeforeTool write_file --host claude", "what does Claude Code do with a question?"],
    ["hookline explain BeforeTool write_file", "which hooks guard writing"],
    ["hookline explain PostAbilityCall edit_file duration_ms=50", "a condition on a field"],
  ],
  async run(io, { args: [name = "", ...rest], options }) {
    const event = eventNamed(name);
    const [given, ...more] = rest.filter((word) => !word.includes("="));
    const fields = overridden(event.spec.sample, [...more, ...rest.filter((word) => word.includes("="))]);
    const subject = event.spec.subject === null ? undefined : (given ?? subjectIn(event.spec, fields));
    const { system, loaded } = await openHooks(io, { trust: "skip", unreadSettings: "ignore" });
    const context = { subject, fields };
    const plan = system.getPlanner().createExecutionPlan(name, context);
    const explanation: Explanation = {
      event: name,
      subject,
      isSample: given === undefined,
      sequential: plan?.sequential ?? false,
      links: plan?.links ?? [],
      observers: plan?.observers ?? [],
      misses: system.getPlanner().explainMisses(name, context),
      withheld: ({ config }) => withheldVariables(config, loaded, io.env),
      loaded,
    };
    const host = typeof options.host === "string" ? explainHost(options.host, name) : undefined;
    const shown = host === undefined ? [] : ["", ...hostExplanationText(host, name, io)];
    const json = { ...asJson(explanation), ...(host === undefined ? {} : { host }) };
    io.stdout(options.json ? `${visibleJson(json)}\n` : `${[...asText(explanation, io), ...shown].join("\n")}\n`);
    return ExitCode.ok;
  },
};

interface Explanation {
  readonly event: string;
  readonly subject: string | undefined;
  readonly isSample: boolean;
  readonly sequential: boolean;
  readonly links: readonly PlannedHook[];
  readonly observers: readonly PlannedHook[];
  readonly misses: readonly { readonly entry: HookRegistryEntry; readonly reason: string }[];
  /** Names of variables that are withheld from a hook's environment. */
  readonly withheld: (entry: HookRegistryEntry) => readonly string[];
  readonly loaded: LoadedSettings;
}

function asText(explanation: Explanation, io: Io): string[] {
  const { links, observers, misses, sequential, loaded } = explanation;
  const paint = colours(io);
  const bases = { projectRoot: loaded.projectRoot, homeDir: io.homeDir };
  const where = ({ config }: HookRegistryEntry): Cell => ({ text: showLine(config.place, bases), style: paint.dim });
  const row = (hook: PlannedHook, number: number): Cell[] => [
    String(number).padStart(2),
    shortened(hook.entry.config.name, 48),
    ...(hook.subject === undefined ? [] : [`sees ${shortened(hook.subject, 48)}`]),
    hook.entry.config.mode === "observe" ? "observes" : hook.entry.config.blocking ? "may object" : "does not block",
    hook.entry.source,
    where(hook.entry),
  ];
  const rows = aligned([...links, ...observers].map((hook, index) => row(hook, index + 1)));
  const order = links.length < 2 ? "" : sequential ? ", in sequence" : ", in parallel, answers in this order";
  return [
    title(explanation, paint),
    "",
    ...(rows.length === 0 ? [noneText(explanation)] : []),
    ...(links.length > 0 ? [paint.bold(`would run${order}`), ...rows.slice(0, links.length)] : []),
    ...(observers.length > 0 ? [paint.bold("would observe the final value"), ...rows.slice(links.length)] : []),
    ...withheldLines(explanation, paint),
    ...(misses.length > 0 ? ["", paint.bold("would not run")] : []),
    ...aligned(
      misses.map(({ entry, reason }) => [" –", shortened(entry.config.name, 48), where(entry), visible(reason)]),
    ),
    ...(settingsErrors(loaded).length > 0 ? ["", ...settingsErrorsView(loaded, io)] : []),
  ];
}

/** The subject of a sample is only an example: hooks may run for another one. */
function noneText({ event, subject, isSample, misses }: Explanation): string {
  if (!isSample || subject === undefined || misses.length === 0) return "No hook would run.";
  return `No hook would run for ${visible(subject)}. For another one: hookline explain ${event} <subject>`;
}

/** Groups hooks with the same withheld variables on one line. */
function withheldLines({ links, observers, withheld }: Explanation, { bold }: Colours): string[] {
  const hooksByNames = new Map<string, number[]>();
  for (const [index, { entry }] of [...links, ...observers].entries()) {
    const names = withheld(entry).join(", ");
    if (names !== "") hooksByNames.set(names, [...(hooksByNames.get(names) ?? []), index + 1]);
  }
  if (hooksByNames.size === 0) return [];
  const rows = [...hooksByNames].map(([names, hooks]): Cell[] => [` ${hooks.join(", ")}`, visible(names)]);
  return ["", bold("withheld from their environment; if a hook needs one, name it in passEnv"), ...aligned(rows)];
}

function title({ event, subject, isSample }: Explanation, { bold, dim }: Colours): string {
  if (subject === undefined) return bold(event);
  const others = namesOf(KNOWN_TOOLS, subject).filter((name) => name !== subject);
  const notes = [
    ...(others.length > 0 ? [`also ${others.join(", ")}`] : []),
    ...(isSample ? [`from the sample; try: hookline explain ${event} <subject>`] : []),
  ];
  return `${bold(`${event} ${visible(subject)}`)}${notes.length > 0 ? dim(`  ${notes.join("; ")}`) : ""}`;
}

function asJson({ event, subject, sequential, links, observers, misses, withheld, loaded }: Explanation): object {
  const facts = ({ config, source }: HookRegistryEntry) => ({ name: config.name, layer: source, source: config.place });
  return {
    event,
    subject: subject ?? null,
    sequential,
    runs: [...links, ...observers].map((hook, index) => ({
      order: index + 1,
      ...facts(hook.entry),
      sees: hook.subject ?? null,
      counts: index < links.length,
      withheld: withheld(hook.entry),
    })),
    misses: misses.map(({ entry, reason }) => ({ ...facts(entry), reason })),
    problems: settingsErrors(loaded),
  };
}

/** Names of credentials in this environment that a hook does not receive. Only process hooks have an environment. */
function withheldVariables({ target, passEnv }: HookDeclaration, { options }: LoadedSettings, env: Io["env"]) {
  if (target?.fields.command === undefined) return [];
  return scrubEnvironment(env, [...options.passEnv, ...passEnv]).withheld;
}
