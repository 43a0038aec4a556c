import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Session } from "../packages/cli/dist/agent/session.js";
import { openModel } from "../packages/cli/dist/models/openModel.js";
import { SessionConfig } from "../packages/cli/dist/project/sessionConfig.js";
import { BUILT_IN_TOOLS } from "../packages/cli/dist/tools/index.js";
import { Workspace } from "../packages/cli/dist/tools/workspace.js";
import { Journal, placeOf, startJournal } from "../packages/journal/dist/index.js";

const CALLS = 20;
/** What an agent does to a project: each of its tools in turn. */
const KINDS = [
  () => ["read_file", { file_path: "notes.txt" }],
  (index) => ["write_file", { file_path: `out-${index}.txt`, content: `${index}\n` }],
  () => ["replace", { file_path: "notes.txt", old_string: "first", new_string: "first and" }],
  () => ["run_shell_command", { command: "echo done" }],
  () => ["list_directory", { dir_path: "." }],
  () => ["glob", { pattern: "*.txt" }],
  () => ["grep_search", { pattern: "line" }],
];

/**
 * The agent in a project of its own; what comes back takes one turn of twenty tool calls, in a session of its own. `ask` is called before and
 * after each call, where hooks are off and the cost of a bare question is wanted.
 */
export async function startAgent(dir, { hooks, enableHooks = true, isRecorded = false, ask }) {
  const folder = await mkdtemp(join(dir, "agent-"));
  const [project, homeDir] = [join(folder, "project"), join(folder, "home")];
  await mkdir(join(project, ".hookline"), { recursive: true });
  await mkdir(homeDir);
  await writeFile(join(project, ".hookline/settings.json"), JSON.stringify({ hooks }));
  await writeFile(join(project, "notes.txt"), `first\n${"a line\n".repeat(50)}`);
  await writeFile(join(project, "answers.jsonl"), answers());
  const journal = isRecorded ? new Journal() : undefined;
  const options = {
    workingDir: project,
    homeDir,
    state: { homeDir },
    systemFile: join(project, "none"),
    trust: "all",
    enableHooks,
    ...(journal ? { recorder: journal } : {}),
  };
  const config = new SessionConfig(options);
  const system = config.getHookSystem();
  await system?.initialize();
  const loaded = system ? system.getSettings() : await config.loadSettings();
  if (journal) startJournal(journal, { homeDir, env: process.env }, { system, loaded, onNotice: fail });
  const setup = {
    config,
    projectRoot: loaded.projectRoot,
    statePlace: placeOf({ homeDir }, loaded),
    model: "replay",
    systemInstruction: "Be brief.",
    tools: ask ? BUILT_IN_TOOLS.map((tool) => asking(tool, ask)) : BUILT_IN_TOOLS,
    toolContext: { workspace: new Workspace(project), env: { ...process.env } },
    approver: undefined,
    approvalMode: () => "yolo",
    observe: () => {},
    journal,
    streams: false,
    compressAtTokens: 1e6,
  };
  return {
    turn: () => turn(setup, project),
    dispose: async () => {
      await system?.dispose();
      await journal?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The tool, with a question on both sides that has the fields a hook would get. */
function asking(tool, ask) {
  const execute = async (input, context) => {
    const seen = { session_id: "bench", cwd: ".", tool_name: tool.name, tool_input: input };
    await ask({ event: "BeforeTool", input: seen });
    const result = await tool.execute(input, context);
    await ask({ event: "AfterTool", input: { ...seen, tool_response: result } });
    return result;
  };
  return Object.defineProperty(Object.create(tool), "execute", { value: execute });
}

function fail(text) {
  throw new Error(text);
}

async function turn(setup, project) {
  const { generator } = await openModel("replay:answers.jsonl", { env: {}, cwd: project });
  const { signal } = new AbortController();
  const session = await Session.start({ ...setup, generator }, signal);
  const { end } = await session.prompt("Do it.", signal);
  await session.end("exit");
  const done = session.totals.toolCalls.filter(({ status }) => status === "success").length;
  if (end.kind !== "finished" || done !== CALLS) throw new Error(`${end.kind} after ${done} calls`);
}

function answers() {
  const calls = Array.from({ length: CALLS }, (_, index) => KINDS[index % KINDS.length](index));
  const parts = [...calls.map(([name, args]) => ({ functionCall: { name, args } })), { text: "Done." }];
  return parts.map((part) => `${JSON.stringify(answer(part))}\n`).join("");
}

function answer(part) {
  const candidate = { content: { role: "model", parts: [part] }, finishReason: "STOP" };
  return { method: "generateContentStream", response: [{ candidates: [candidate] }] };
}
