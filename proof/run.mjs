// node proof/run.mjs [agent] [part of a case's name]: runs real agents with hooks, and writes down what they did.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DIALECTS } from "../packages/engine/dist/program.js";
import { AGENTS } from "./agents/index.mjs";
import { casesOf } from "./cases/index.mjs";
import { installAgents, installedVersion } from "./install.mjs";
import { isolation } from "./isolation.mjs";
import { resultRow, writeResults } from "./results.mjs";
import { runCase } from "./runCase.mjs";

const [wanted = "", part = ""] = process.argv.slice(2);
const agents = AGENTS.filter(({ name }) => name.includes(wanted));
const modules = await installAgents();
const setUp = mkdtempSync(join(tmpdir(), "hookline-hosts-"));
const isolated = isolation(setUp);
if (isolated === undefined) {
  console.error("This machine allows no namespaces: the agents run with its network, and may leave processes behind.");
}

let differences = 0;
for (const agent of agents) {
  const dialect = DIALECTS[agent.name];
  const chosen = casesOf(dialect).filter(({ one }) => one.name.includes(part));
  const rows = chosen.map(({ one, facts }) => {
    const row = resultRow(one, facts, attempt({ agent: agent.name, name: one.name, modules, isolated }));
    const isSame = row.happened === row.expected;
    if (!isSame) differences += 1;
    console.log(
      `${isSame ? "  " : "! "}${agent.name} · ${row.case}: ${row.happened}${isSame ? "" : ` (expected: ${row.expected}) ${row.evidence}`}`,
    );
    return row;
  });
  if (part === "") await writeResults(agent.name, { version: await installedVersion(modules, agent), rows });
}
rmSync(setUp, { recursive: true });
process.exitCode = differences > 0 ? 1 : 0;

/** A case that cannot be run is a difference, too. */
function attempt(wanted) {
  try {
    return runCase(wanted);
  } catch (error) {
    return { happened: "the case failed", evidence: /^Error: .*/m.exec(error.message)?.[0] ?? error.message };
  }
}
