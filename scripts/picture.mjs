// Draws what `hookline fire` prints for one event of examples/guardrails as docs/pictures/fire.svg. With --check it only compares.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { processIo } from "../packages/cli/dist/io.js";
import { run } from "../packages/cli/dist/program.js";

const FIRE = ["fire", "BeforeTool", "tool_input.file_path=config/app.json"];
const COLOURS = { 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 36: "#79c0ff" };
const LINE = 20;
const CHARACTER = 8.43;
const MARGIN = 20;

const file = fileURLToPath(new URL("../docs/pictures/fire.svg", import.meta.url));
const picture = draw(await printed());
if (!process.argv.includes("--check")) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, picture);
} else if (!existsSync(file) || readFileSync(file, "utf8") !== picture) {
  console.error("docs/pictures/fire.svg is not what `hookline fire` prints. Run `node scripts/picture.mjs`.");
  process.exitCode = 1;
}

async function printed() {
  const folder = mkdtempSync(join(tmpdir(), "hookline-picture-"));
  try {
    cpSync(fileURLToPath(new URL("../examples/guardrails", import.meta.url)), folder, { recursive: true });
    let text = `\u001b[2m$\u001b[22m hookline ${FIRE.join(" ")}\n`;
    const io = { ...processIo(), cwd: folder, homeDir: join(folder, "home"), systemFile: join(folder, "none") };
    const stdout = (chunk) => {
      text += chunk;
    };
    await run([...FIRE, "--trust-project"], { ...io, stdout, interactive: false, colour: true });
    return text
      .replace(/\d+(\.\d+)? m?s\b/g, "8 ms")
      .trimEnd()
      .split("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function draw(lines) {
  const longest = Math.max(...lines.map((line) => spans(line).reduce((sum, { text }) => sum + text.length, 0)));
  const width = Math.ceil(longest * CHARACTER + 2 * MARGIN);
  const height = lines.length * LINE + 2 * MARGIN;
  const rows = lines.map((line, index) => {
    const y = MARGIN + (index + 0.75) * LINE;
    return `  <text x="${MARGIN}" y="${y}" xml:space="preserve">${spans(line).map(tspan).join("")}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    "  <title>hookline fire: a hook blocks an edit of config/app.json</title>",
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
