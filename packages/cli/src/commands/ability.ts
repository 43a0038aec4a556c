import { declaredOf } from "@hookline/engine/program";
import { AbilityRegistry } from "../abilities/abilityRegistry.ts";
import { CALLER_OPTIONS, ENV_OPTION, INPUT_OPTION, readAbilityInput, TRUST_OPTION } from "../abilities/runnerFlags.ts";
import { abilityDetails, abilityJson, abilityTable } from "../abilities/views/abilityView.ts";
import { showRun } from "../abilities/views/outcomeView.ts";
import { ABILITIES } from "../declarations/abilities/abilities.ts";
import { readSettings } from "../project/readSettings.ts";
import { IGNORE_BROKEN_OPTION } from "../project/unreadPolicy.ts";
import type { Command, CommandGroup, Parameter } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import { textIn } from "../terminal/optionValues.ts";
import { withProgress } from "../terminal/progress.ts";
import { visible, visibleJson } from "../terminal/visible.ts";

const REF: Parameter = { name: "ability", description: "its id or an operation key", required: true };

const list: Command = {
  name: "list",
  summary: "show every ability of this project",
  parameters: [],
  options: [],
  examples: [["hookline ability list", "id, kind, operation keys and summary"]],
  async run(io, { options }) {
    const abilities = declaredOf(ABILITIES, (await readSettings(io)).others);
    const lines = options.json ? [visibleJson({ abilities: abilities.map(abilityJson) })] : abilityTable(abilities, io);
    io.stdout(`${lines.join("\n")}\n`);
    return ExitCode.ok;
  },
};

const show: Command = {
  name: "show",
  summary: "show an ability with the schema of its input",
  parameters: [REF],
  options: [],
  examples: [["hookline ability show db.write.user_row", "by an operation key"]],
  async run(io, { args: [name = ""], options }) {
    const { others, projectRoot } = await readSettings(io);
    const { ability } = new AbilityRegistry(declaredOf(ABILITIES, others)).find(name);
    const lines = options.json ? [visibleJson(abilityJson(ability))] : abilityDetails(ability, projectRoot, io);
    io.stdout(`${lines.join("\n")}\n`);
    return ExitCode.ok;
  },
};

const run: Command = {
  name: "run",
  summary: "run an ability directly, without a task",
  details:
    "PreAbilityCall hooks run before it, PostAbilityCall hooks after it.\nExit code: 0 done, 1 it failed, 2 a hook denied it, 3 a person must decide.",
  parameters: [REF],
  options: [INPUT_OPTION, ENV_OPTION, ...CALLER_OPTIONS, TRUST_OPTION, IGNORE_BROKEN_OPTION],
  examples: [
    [`hookline ability run signup_e2e_test --input '{"suite":"smoke"}'`, "with an input"],
    ["hookline ability run report --input @input.json --env staging --json", "from a program"],
  ],
  async run(io, { args: [name = ""], options }) {
    const input = await readAbilityInput(io, textIn(options, "input"));
    const { withRunner } = await import("../abilities/withRunner.ts");
    return withRunner(io, options, async ({ runner }) => {
      const outcome = await withProgress(io, () => `running ${visible(name)}`, runner.run(name, input));
      return showRun(outcome, io, { json: options.json === true });
    });
  },
};

export const ability: CommandGroup = {
  name: "ability",
  summary: "list and run the abilities of this project",
  commands: [list, show, run],
};
