import { expect, test } from "vitest";
import { hooksOn, Machine, PROJECT_FILE } from "../support/machine.ts";

/** What the program says about the signals of a hook; none of them may be passed on. */
async function fired(event: string, signals: readonly object[]): Promise<string> {
  const machine = new Machine({
    [PROJECT_FILE]: hooksOn(event, [{ name: "guard", command: "cat answer" }]),
    "project/answer": { hook_signals: signals },
  });
  const { stdout } = await machine.cli(["fire", event, "--json", "--trust-project"]);
  const { hooks, output } = JSON.parse(stdout);
  expect({ passedOn: output?.hook_signals ?? [], answered: hooks[0].answer?.signals ?? [] }).toEqual({
    passedOn: [],
    answered: [],
  });
  return hooks[0].notes.join("\n");
}

test.each([
  ["PreAbilityCall", "ability_guard"],
  ["PreAbilityCreate", "ability_preflight"],
])("on %s a signal whose code is the name of a method is reported as invalid", async (event, kind) => {
  const codes = ["constructor", "toString", "__proto__"];
  const said = await fired(
    event,
    codes.map((code) => ({ kind, code })),
  );
  for (const code of codes) expect(said).toContain(`signal code "${code}" is not one of`);
});

test.each(["PreAbilityCall", "PromptSubmit"])(
  "on %s a signal whose kind is the name of a method is reported as invalid",
  async (event) => {
    const kinds = ["__proto__", "constructor", "valueOf"];
    const said = await fired(
      event,
      kinds.flatMap((kind) => [
        { kind, code: "toString" },
        { kind, code: "name" },
      ]),
    );
    for (const kind of kinds) expect(said).toContain(`signal kind "${kind}" is not one of`);
  },
);
