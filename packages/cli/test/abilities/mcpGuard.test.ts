import { expect, test } from "vitest";
import { PROJECT_FILE } from "../support/machine.ts";
import { stdioServer } from "../tools/mcpFixtures.ts";
import { AbilityProject } from "./abilityProject.ts";

test("a guard on a server's tool also stops an ability that calls this tool", async () => {
  const project = new AbilityProject({
    abilities: [{ id: "sum", fields: { implementation: { kind: "mcp", server: "local", tool: "add" } } }],
    hooks: [
      {
        id: "no-sums",
        on: "PreAbilityCall",
        runs: 'echo "No sums today." >&2; exit 2',
        fields: { match: { ability_scope: "mcp_local_add" } },
      },
    ],
    files: { [PROJECT_FILE]: { mcpServers: { local: stdioServer() } } },
  });
  const { code, said } = await project.json(["ability", "run", "sum", "--input", '{"a":1,"b":2}']);
  expect({ code, said }).toMatchObject({ code: 2, said: { reason: "No sums today." } });
});
