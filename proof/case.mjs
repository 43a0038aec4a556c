// node proof/case.mjs <agent> <case> <node_modules> <folder>: runs one case and prints what was seen, as JSON.
import { DIALECTS } from "../packages/engine/dist/program.js";
import { AgentRun } from "./agentRun.mjs";
import { AGENTS } from "./agents/index.mjs";
import { casesOf } from "./cases/index.mjs";
import { startNoNames } from "./noNames.mjs";
import { evidence, seen } from "./seen.mjs";
import { endDaemons } from "./setups/hookline.mjs";

const [agentName, caseName, modules, folder] = process.argv.slice(2);
const agent = AGENTS.find(({ name }) => name === agentName);
const { one, facts } = casesOf(DIALECTS[agentName]).find(({ one: { name } }) => name === caseName);

await startNoNames();
const run = new AgentRun({ agent, modules, folder, steps: one.steps });
await run.prepare();
await one.prepare(run, facts);
await run.agentRuns({ options: one.options, during: one.during && (() => one.during(run, facts)) });
console.log(JSON.stringify({ happened: seen(run), evidence: evidence(run), output: run.output }));
endDaemons(run);
process.exit();
