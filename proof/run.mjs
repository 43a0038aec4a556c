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
const agents = AGENTS.filter(({ name }) => wanted === "" || name === wanted);
if (agents.length === 0) {
  console.error(`No agent is called "${wanted}". There are: ${AGENTS.map(({ name }) => name).join(", ")}.`);
  process.exit(1);
}

const modules = await installAgents();
const setUp = mkdtempSync(join(tmpdir(), "hookline-hosts-"));
try {
  const isolated = isolation(setUp);
  if (isolated === undefined) {
    console.error(
      "This machine allows no namespaces: the agents run with its network, and may leave processes behind.",
    );
  }
  for (const agent of agents) {
    const rows = rowsOf(agent, isolated);
    if (part === "") await writeResults(agent.name, { version: await installedVersion(modules, agent), rows });
    if (rows.some(isDifferent)) process.exitCode = 1;
  }
} finally {
  rmSync(setUp, { recursive: true });
}

function rowsOf(agent, isolated) {
  const chosen = casesOf(DIALECTS[agent.name]).filter(({ one }) => one.name.includes(part));
  return chosen.map(({ one, facts }) => {
    const seen = attempt({ agent: agent.name, name: one.name, modules, isolated });
    const row = resultRow(one, facts, seen);
    console.log(`${isDifferent(row) ? "! " : "  "}${agent.name} · ${row.case}: ${row.happened}`);
    if (isDifferent(row)) console.log(`  expected: ${row.expected}\n  ${row.evidence}\n${seen.output}`);
    return row;
  });
}

function isDifferent({ expected, happened }) {
  return expected !== happened;
}

/** A case that cannot be run is a difference, too. */
function attempt(wanted) {
  try {
    return runCase(wanted);
  } catch (error) {
    const evidence = /^Error: .*/m.exec(error.message)?.[0] ?? "no error was printed";
    return { happened: "the case failed", evidence, output: error.message };
  }
}
