import { expect, test } from "vitest";
import { Machine } from "../support/machine.ts";

const GOOD = "id: deploy\nsummary: Deploys it.\nimplementation: { kind: script, command: 'true' }\n";
const hookOn = (event: string, scope: string) =>
  `id: guard\nevent_type: ${event}\nenabled: true\nblocking: true\nmatch: { ability_scope: ${scope} }\nhandler: { kind: script, command: 'true', timeout: 5s }\non_failure: fail\n`;

test("validate checks abilities with their places, and counts them", async () => {
  const machine = new Machine({
    "project/.system/abilities/a.yaml": GOOD,
    "project/.system/abilities/b.yaml": `${GOOD.replace("deploy", "other")}enviroments: [prod]\n`,
  });
  const { code, stdout } = await machine.run(["validate"]);
  expect(code).toBe(1);
  expect(stdout).toContain(
    '.system/abilities/b.yaml:4:1 error "enviroments" is not a field of an ability. Did you mean "environments"?',
  );
  expect(stdout).toContain("1 error, 0 warnings (0 hooks, 2 abilities in 2 files)");
  const { problems, abilities } = JSON.parse((await machine.run(["validate", "--json"])).stdout);
  expect([problems, abilities]).toMatchObject([[{ code: "ABILITY_INVALID" }], 2]);
});

test("an ability file is checked alone, and one that stands elsewhere is said to be read from nowhere", async () => {
  const machine = new Machine({
    "project/.system/abilities/a.yaml": GOOD,
    "project/.system/abilities/b.yaml": "id: B\n",
    "project/elsewhere.yaml": GOOD,
  });
  const alone = await machine.run(["validate", ".system/abilities/a.yaml"]);
  expect([alone.code, alone.stdout]).toEqual([0, "✓ 0 hooks, 1 ability in 1 file, no problems\n"]);
  const nowhere = await machine.run(["validate", "elsewhere.yaml"]);
  expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringContaining("abilities in .system/abilities")]);
});

test.each([
  [
    "deploi",
    'The ability_scope "deploi" matches no ability and no tool, so the hook does not run. Did you mean "deploy"?',
  ],
  ["'db.*'", 'The ability_scope "db.*" matches no ability and no tool'],
])("a scope %s that nothing bears is a doubt", async (scope, said) => {
  const machine = new Machine({
    "project/.system/abilities/a.yaml": GOOD,
    "project/.system/hooks/guard.yaml": hookOn("PreAbilityCall", scope),
  });
  const { problems } = JSON.parse((await machine.run(["validate", "--json"])).stdout);
  expect(problems).toMatchObject([{ severity: "warning", what: expect.stringContaining(said) }]);
});

test.each(["'*'", "deploy", "dep*", "edit_file", "Bash", "mcp_github_push", "'m*'", "'*_row'", "'{mcp_a,b}_x'"])(
  "a scope %s may hit something, and nothing is said",
  async (scope) => {
    const machine = new Machine({
      "project/.system/abilities/a.yaml": GOOD,
      "project/.system/hooks/guard.yaml": hookOn("PreAbilityCall", scope),
    });
    expect(JSON.parse((await machine.run(["validate", "--json"])).stdout).problems).toEqual([]);
  },
);

test("a scope is no doubt where the project declares no abilities", async () => {
  const machine = new Machine({ "project/.system/hooks/guard.yaml": hookOn("PreAbilityCall", "db.write") });
  expect(JSON.parse((await machine.run(["validate", "--json"])).stdout).problems).toEqual([]);
});
