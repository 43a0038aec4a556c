import { join } from "node:path";
import { expect, test } from "vitest";
import { Machine } from "../support/machine.ts";

/** Settings with a guard that blocks and says what its variables are. */
const telling = (name: string, env: Record<string, string> = {}) => ({
  hooks: {
    BeforeTool: [
      {
        hooks: [
          {
            type: "command",
            name,
            command: 'echo "$SEEN plans in $GEMINI_PLANS_DIR" >&2; exit 2',
            timeout: 30_000,
            env,
          },
        ],
      },
    ],
  },
});

async function reasonOf(machine: Machine, env: Record<string, string>): Promise<unknown> {
  const { stdout } = await machine.cli(["fire", "BeforeTool", "--json"], { env });
  return JSON.parse(stdout).reason;
}

test("variables in the env of a .gemini hook are filled in, without credentials, and there is a folder for plans", async () => {
  const seen = `$PLACE and \${PLACE} and $GITHUB_TOKEN`;
  const machine = new Machine({ "home/.gemini/settings.json": telling("tells", { SEEN: seen }) });
  const plans = join(machine.dir, machine.state, "hooks/plans");
  const env = { PLACE: "here", GITHUB_TOKEN: "secret" };
  expect(await reasonOf(machine, env)).toBe(`here and here and $GITHUB_TOKEN plans in ${plans}`);
  machine.write({ "home/.gemini/settings.json": {}, "home/.hookline/settings.json": telling("tells", { SEEN: seen }) });
  expect(await reasonOf(machine, env)).toBe(`${seen} plans in ${plans}`);
});

test("GEMINI_CLI_HOME adds a .gemini to the user's own, and takes none away", async () => {
  const machine = new Machine({
    "home/.gemini/settings.json": telling("own"),
    "other/.gemini/settings.json": telling("other"),
    "other/.gemini/extensions/audit/hooks/hooks.json": telling("audit"),
    "other/.hookline/settings.json": telling("not theirs"),
  });
  const named = async (env: Record<string, string> = {}) => {
    const { stdout } = await machine.cli(["list", "--json"], { env });
    const { hooks } = JSON.parse(stdout) as { hooks: { id: string; layer: string }[] };
    return hooks.map(({ id, layer }) => `${layer} ${id}`);
  };
  expect(await named()).toEqual(["user own"]);
  const both = ["user own", "user other", "extensions audit"];
  expect(await named({ GEMINI_CLI_HOME: join(machine.dir, "other") })).toEqual(both);
});

test.each([
  ["inside the project", (machine: Machine) => join(machine.project, "sub"), "is inside the project"],
  ["that is relative", () => "sub", "is not an absolute path"],
])("a GEMINI_CLI_HOME %s is not read, and that is said", async (_where, place, why) => {
  const machine = new Machine({ "project/sub/.gemini/settings.json": telling("planted") });
  const env = { GEMINI_CLI_HOME: place(machine) };
  const { stdout, code } = await machine.cli(["validate"], { env });
  expect([stdout, code]).toEqual([expect.stringContaining(`GEMINI_CLI_HOME ${why}`), 1]);
  expect(JSON.parse((await machine.cli(["list", "--json"], { env })).stdout).hooks).toEqual([]);
});
