// Draws what the program prints, as the files of docs/pictures. With --check it only compares.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { processIo } from "../packages/cli/dist/io.js";
import { run } from "../packages/cli/dist/program.js";

const PICTURES = [
  {
    name: "fire.svg",
    title: "hookline fire: a hook blocks an edit of config/app.json",
    command: ["fire", "BeforeTool", "tool_input.file_path=config/app.json"],
    unsaid: ["--trust-project"],
  },
  {
    name: "demo.svg",
    title: "hookline demo: five hooks at work in a short session",
    command: ["demo"],
    unsaid: [],
    // What follows tells of this machine.
    until: "✓ finished",
  },
];
const COLOURS = { 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 36: "#79c0ff" };
const LINE = 20;
const CHARACTER = 8.43;
const MARGIN = 20;

for (const picture of PICTURES) {
  const file = fileURLToPath(new URL(`../docs/pictures/${picture.name}`, import.meta.url));
  const drawn = draw(picture.title, await printed(picture));
  if (!process.argv.includes("--check")) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, drawn);
  } else if (!existsSync(file) || readFileSync(file, "utf8") !== drawn) {
    console.error(`docs/pictures/${picture.name} is not what the program prints. Run \`node scripts/picture.mjs\`.`);
    process.exitCode = 1;
  }
}

async function printed({ command, unsaid, until }) {
  const folder = mkdtempSync(join(tmpdir(), "hookline-picture-"));
  try {
    cpSync(fileURLToPath(new URL("../examples/guardrails", import.meta.url)), folder, { recursive: true });
    let text = `\u001b[2m$\u001b[22m hookline ${command.join(" ")}\n`;
    const io = { ...processIo(), cwd: folder, homeDir: join(folder, "home"), systemFile: join(folder, "none") };
    const stdout = (chunk) => {
      text += chunk;
    };
    await run([...command, ...unsaid], { ...io, stdout, interactive: false, colour: true, columns: 80 });
    const lines = sameTimes(text).trimEnd().split("\n");
    const end = until === undefined ? -1 : lines.findIndex((line) => line.includes(until));
    return end < 0 ? lines : lines.slice(0, end - 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A picture must not change with the machine's speed: every duration is one that is usual, every step takes as long. */
function sameTimes(text) {
  let steps = 0;
  return text
    .replace(/ *\d+\.\d\d s\b/g, () => `${(steps++ * 0.04).toFixed(2)} s`.padStart(8))
    .replace(/\d+(\.\d)? ms\b|\d+\.\d s\b/g, "8 ms")
    .replace(/\d+(\.\d+)?ms\b/g, "0.2ms");
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
