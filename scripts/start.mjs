// A tour: fires events at the hooks of examples/, with the real program, in copies that are thrown away.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { colours } from "../packages/cli/dist/colour.js";
import { processIo } from "../packages/cli/dist/io.js";
import { run } from "../packages/cli/dist/program.js";

const SHELL = "tool_name=run_shell_command";
const TOUR = [
  { title: "a session begins: the model gets facts about the project", example: "guardrails", fire: ["SessionStart"] },
  {
    title: "the agent writes a file: two hooks look at it, one tidies it",
    example: "guardrails",
    fire: ["BeforeTool", "tool_name=write_file", "tool_input.content=let retries = 3;   "],
  },
  {
    title: "it wants to edit a protected file: blocked, and the model is told why",
    example: "guardrails",
    fire: ["BeforeTool", "tool_name=write_file", "tool_input.file_path=config/app.json"],
  },
  {
    title: "it wants to force a push: blocked by JSON",
    example: "guardrails",
    fire: ["BeforeTool", SHELL, 'tool_input={"command":"git push --force"}'],
  },
  {
    title: "it wants to delete something: a person decides",
    example: "guardrails",
    fire: ["BeforeTool", SHELL, 'tool_input={"command":"rm -rf build"}'],
  },
  {
    title: "an ability would change production: its guard sends a signal",
    example: "abilities",
    fire: ["PreAbilityCall", "args_summary=config/prod.json"],
  },
];

/** What each step must come to; anything else is a failure of the tour. */
const EXPECTED = [0, 0, 2, 2, 3, 3];

const folder = mkdtempSync(join(tmpdir(), "hookline-tour-"));
// At exit, so that a reader who has seen enough (`| head`) leaves nothing behind either.
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
cpSync(fileURLToPath(new URL("../examples", import.meta.url)), folder, { recursive: true });
// Nobody's own hooks take part.
const io = { ...processIo(), homeDir: join(folder, "home"), systemFile: join(folder, "none"), interactive: false };
const { bold, dim } = colours(io);
const codes = [];
for (const [index, { title, example, fire }] of TOUR.entries()) {
  const argv = ["fire", ...fire, "--trust-project"];
  io.stdout(`${bold(`${index + 1}. ${title}`)}\n${dim(`   ${example}$ hookline ${argv.map(quoted).join(" ")}`)}\n\n`);
  codes.push(await run(argv, { ...io, cwd: join(folder, example) }));
  io.stdout("\n");
}
io.stdout(dim("Those were the hooks of examples/. README.md says how to write one.\n"));
if (codes.join() !== EXPECTED.join()) {
  io.stderr(`The tour came to the exit codes ${codes.join()} instead of ${EXPECTED.join()}.\n`);
  process.exitCode = 1;
}

function quoted(word) {
  return /^[\w./=-]+$/.test(word) ? word : `'${word}'`;
}
