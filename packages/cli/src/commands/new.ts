import { ABILITY_OPTIONS, readAbilityRequest } from "../scaffold/abilityRequest.ts";
import { HOOK_OPTIONS, readHookRequest } from "../scaffold/hookRequest.ts";
import { EXAMPLE_INPUT, newAbility } from "../scaffold/newAbility.ts";
import { type Made, publish } from "../scaffold/publish.ts";
import { publishedJson, publishedView, type Step } from "../scaffold/publishedView.ts";
import type { Command, CommandGroup } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";

const DETAILS =
  "Asks for missing flags at a terminal.\nNever overwrites a file; if one cannot be written, writes none.";

const hook: Command = {
  name: "hook",
  summary: "write a hook: its declaration, its program, and a test that passes",
  details: DETAILS,
  parameters: [],
  options: HOOK_OPTIONS,
  examples: [
    ["hookline new hook", "ask for everything"],
    ["hookline new hook --event BeforeTool --id no-secrets --matcher 'write_file|replace'", "a guard in sh"],
    ["hookline new hook --event PreAbilityCall --id prod-guard --ability-scope 'db.*' --language python", "in Python"],
  ],
  async run(io, { options }) {
    const request = await readHookRequest(io, options);
    const { event, id } = request;
    // Loaded lazily: it brings the schema of tests, which no other command needs at its start.
    const { newHook } = await import("../scaffold/newHook.ts");
    return show(io, newHook(request), options.json === true, [
      [`sh scripts/hooks/${id}.test.sh`, "test its program alone"],
      ["hookline validate", "check its declaration"],
      ["hookline trust", "review what it starts, and allow it"],
      ["hookline test", "test it as hookline runs it"],
      [`hookline fire ${event.name}`, "run it together with the other hooks"],
    ]);
  },
};

const ability: Command = {
  name: "ability",
  summary: "write an ability: its declaration, its program, and a test that passes",
  details: DETAILS,
  parameters: [],
  options: ABILITY_OPTIONS,
  examples: [
    ["hookline new ability", "ask for everything"],
    ["hookline new ability --id seed-users --language node", "a program in Node"],
    ["hookline new ability --id deploy --kind http --url https://ci.example.com/deploy", "an endpoint"],
  ],
  async run(io, { options }) {
    const request = await readAbilityRequest(io, options);
    const { id, implementation } = request;
    const input = JSON.stringify(implementation.kind === "script" ? EXAMPLE_INPUT : {});
    return show(io, newAbility(request), options.json === true, [
      [`sh scripts/abilities/${id}.test.sh`, implementation.kind === "script" ? "test its program alone" : "test it"],
      ["hookline validate", "check its declaration"],
      ["hookline trust", "review what it starts, and allow it"],
      [`hookline ability run ${id} --input '${input}'`, "run it together with the other hooks"],
    ]);
  },
};

export const newCommand: CommandGroup = {
  name: "new",
  summary: "write a first version of a hook or an ability",
  commands: [hook, ability],
};

async function show(io: Io, made: Made, json: boolean, steps: readonly Step[]): Promise<number> {
  const published = await publish(io, made);
  const program = made.files.find(({ executable, path }) => executable && !path.endsWith(".test.sh"));
  const edit: Step = program
    ? [`edit ${program.path}`, "replace the example with your own code"]
    : [`edit ${made.declaration}`, "describe its input"];
  io.stdout(`${json ? publishedJson(published) : publishedView(published, [edit, ...steps], io).join("\n")}\n`);
  return ExitCode.ok;
}
