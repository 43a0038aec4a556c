// Draws what the program prints, as the files of docs/pictures. With --check it only compares.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { processIo } from "../packages/cli/dist/processIo.js";
import { run } from "../packages/cli/dist/program.js";
import { record } from "./pictureJournal.mjs";

/**
 * What is typed, in a copy of examples/guardrails with `files` added, after the commands in `before`; `unsaid` is typed too, and not
 * shown. With `until`, the picture ends before the line above that text. With `recorded`, there is a journal, whose times are the same
 * every time.
 */
const PICTURES = [
  {
    name: "fire",
    title: "hookline fire: a hook blocks an edit of config/app.json",
    command: "fire BeforeTool tool_input.file_path=config/app.json",
    unsaid: "--trust-project",
  },
  {
    name: "status",
    title: "hookline status: Claude Code is guarded",
    command: "status",
    files: {
      "../home/.claude/settings.json": "{}\n",
      "../home/.hookline/run/seen.json": JSON.stringify([
        { host: "claude", calls: 212, lastAt: Date.now() - 180_000, lastEvent: "PreToolUse", unknownEvents: [] },
      ]),
    },
    before: ["install claude --yes --client node", "trust --yes"],
  },
  // What follows its end tells of this machine.
  { name: "demo", title: "hookline demo: five hooks at work in a short session", command: "demo", until: "✓ finished" },
  { name: "list", title: "hookline list: every hook of a project", command: "list", before: ["trust --yes"] },
  {
    name: "explain",
    title: "hookline explain: which hooks would run before a file is written, and why the others would not",
    command: "explain BeforeTool write_file",
    before: ["trust --yes"],
  },
  {
    name: "run",
    title: "hookline run: an edit is blocked, and the model is told why",
    command: 'run -p "Raise the limit to 20" --model replay:answers.jsonl --approval-mode auto-edit',
    before: ["trust --yes"],
    files: {
      "answers.jsonl": recorded(
        {
          functionCall: { name: "replace", args: { file_path: "config/app.json", old_string: "10", new_string: "20" } },
        },
        { text: "I may not change config/app.json. Please set the limit to 20 there yourself." },
      ),
    },
  },
  {
    name: "log",
    title: "hookline log: what hooks decided, and what a person was asked",
    command: "log --limit 10",
    columns: 125,
    recorded: true,
  },
  { name: "trace", title: "hookline trace: a turn as a waterfall", command: "trace", recorded: true },
  {
    name: "stats",
    title: "hookline stats: runs, latencies and decisions of each hook",
    command: "stats",
    recorded: true,
  },
];
// A person at a terminal, wherever the pictures are drawn.
const IO = { ...processIo(), env: {}, hasTerminal: () => true, ancestors: () => [] };
const COLOURS = { 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 36: "#79c0ff" };
const LINE = 20;
const CHARACTER = 8.43;
const MARGIN = 20;

for (const picture of PICTURES) {
  const path = `docs/pictures/${picture.name}.svg`;
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  const drawn = draw(picture.title, await printed(picture));
  if (!process.argv.includes("--check")) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, drawn);
  } else if (!existsSync(file) || readFileSync(file, "utf8") !== drawn) {
    console.error(`${path} is not what the program prints. Run \`node scripts/picture.mjs\`.`);
    process.exitCode = 1;
  }
}

async function printed({ command, columns, unsaid = "", before = [], files = {}, until, recorded: isRecorded }) {
  const root = mkdtempSync(join(tmpdir(), "hookline-picture-"));
  const folder = join(root, "project");
  try {
    cpSync(fileURLToPath(new URL("../examples/guardrails", import.meta.url)), folder, { recursive: true });
    mkdirSync(join(root, "home"));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, name), text);
    }
    for (const earlier of before) await typed(earlier, folder);
    if (isRecorded) await record(folder);
    const text = `\u001b[2m$\u001b[22m hookline ${command}\n${await typed(`${command} ${unsaid}`, folder, columns)}`;
    const lines = (isRecorded ? sameDates(text) : sameTimes(text)).trimEnd().split("\n");
    const end = until === undefined ? -1 : lines.findIndex((line) => line.includes(until));
    return end < 0 ? lines : lines.slice(0, end - 1);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** What the program prints on a terminal, on both streams. */
async function typed(command, folder, columns = 80) {
  let text = "";
  const write = (chunk) => {
    text += chunk;
  };
  const words = command.match(/"[^"]*"|\S+/g).map((word) => word.replaceAll('"', ""));
  const place = { cwd: folder, homeDir: join(folder, "../home"), systemFile: join(folder, "../none") };
  const terminal = { interactive: false, stderrIsTTY: false, colour: true, columns };
  await run(words, { ...IO, ...place, ...terminal, stdout: write, stderr: write });
  return text;
}

/** A model's answers, one after the other, as `--record` writes them. */
function recorded(...parts) {
  const answer = (part) => ({ candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP" }] });
  const lines = parts.map((part) => ({ method: "generateContentStream", response: [answer(part)] }));
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** A picture must not change with the machine's speed: every duration is one that is usual, every step takes as long. */
function sameTimes(text) {
  let steps = 0;
  return text
    .replace(/^.*The journal is slow:[\s\S]*?recorded\..*\n/gm, "")
    .replace(/ *\d+\.\d\d s\b/g, () => `${(steps++ * 0.04).toFixed(2)} s`.padStart(8))
    .replace(/\d+(\.\d+)? ms\b|\d+\.\d s\b/g, "8 ms")
    .replace(/\d+(\.\d+)?ms\b/g, "0.2ms");
}

/** What was recorded took as long as we say; only when it was depends on the day. */
function sameDates(text) {
  return text.replace(/\d\d-\d\d \d\d:\d\d:\d\d/g, "11-03 09:30:12");
}

function draw(title, lines) {
  const longest = Math.max(...lines.map((line) => spans(line).reduce((sum, { text }) => sum + text.length, 0)));
  const width = Math.ceil(longest * CHARACTER + 2 * MARGIN);
  const height = lines.length * LINE + 2 * MARGIN;
  const rows = lines.map((line, index) => {
    const y = MARGIN + (index + 0.75) * LINE;
    return `  <text x="${MARGIN}" y="${y}" xml:space="preserve">${spans(line).map(tspan).join("")}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `  <title>${title}</title>`,
    `  <rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    `  <g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">`,
    ...rows,
    "  </g>",
    "</svg>",
    "",
  ].join("\n");
}

/** The pieces of a line, each with the colour and weight that hold there. */
function spans(line) {
  let [fill, bold, dim] = [undefined, false, false];
  const [start, ...rest] = line.split("\u001b[");
  const styled = rest.map((piece) => {
    const [, code, text] = /^(\d+)m(.*)$/.exec(piece);
    if (code === "1") bold = true;
    else if (code === "2") dim = true;
    else if (code === "22") bold = dim = false;
    else fill = COLOURS[code];
    return { text, fill, bold, dim };
  });
  return [{ text: start }, ...styled].filter(({ text }) => text !== "");
}

function tspan({ text, fill, bold, dim }) {
  const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const style = [
    ...(fill ? [`fill="${fill}"`] : dim ? ['fill="#8b949e"'] : []),
    ...(bold ? ['font-weight="bold"'] : []),
  ].join(" ");
  return style ? `<tspan ${style}>${escaped}</tspan>` : escaped;
}
