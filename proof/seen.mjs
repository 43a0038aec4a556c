import { existsSync } from "node:fs";
import { RESULT, TEXT } from "./words.mjs";

/** What the client says alone (packages/engine/src/dialects/ownNo.ts). */
const CLIENT_SAYS = "hookline did not answer in time";

/** What the agent really did: whether the tool ran, what the model was asked next, and whether our hook was asked at all. */
export function seen(run) {
  const hook = run.hookMark !== undefined && !existsSync(run.hookMark) ? ["the hook was not asked"] : [];
  return [`the tool ${toolOf(run)}`, `the model ${modelOf(run.model.requests)}`, ...hook].join(", ");
}

function toolOf(run) {
  if (run.has("ran.txt")) return "ran";
  return run.has("rewritten.txt") ? "ran as rewritten" : "did not run";
}

function modelOf(requests) {
  if (requests.length === 0) return "was not asked";
  const has = (word) => requests.some(({ text }) => text.includes(word));
  const read = [...(has(RESULT) ? ["the result"] : []), ...(has(TEXT) ? ["the hook's words"] : [])];
  if (read.length > 0) return `read ${read.join(" and ")}`;
  if (requests.length === 1) return "was asked once";
  return has(CLIENT_SAYS) ? "read the client's refusal" : "read a refusal";
}

const MOST = 160;

/** The few words that show it: where the hook's words arrived, else the last result of a tool, else how the agent ended. */
export function evidence(run) {
  const { requests } = run.model;
  const results = requests.at(-1)?.results ?? [];
  const told = results.find((text) => text.includes(TEXT)) ?? placeOf(requests) ?? results.at(-1);
  const count = requests.length === 1 ? "1 request" : `${requests.length} requests`;
  if (told === undefined)
    return [count, ...printed(run, (line) => line.includes(TEXT)), `exit ${run.ended}`].join(", ");
  return [
    count,
    JSON.stringify(shortened(told, run.folder)),
    ...printed(run, (line) => line.startsWith("hookline: ")),
  ].join(", ");
}

/** The line of its output in which the agent tells the person. */
function printed({ output }, isIt) {
  const line = output.split("\n").find(isIt);
  return line === undefined ? [] : [`printed ${JSON.stringify(line.trim())}`];
}

/** The string in a request that has the hook's words. */
function placeOf(requests) {
  const strings = requests.flatMap(({ text }) => text.match(/"(?:[^"\\]|\\.)*"/g) ?? []);
  const found = strings.find((string) => string.includes(TEXT));
  return found && JSON.parse(found);
}

/** The lines that matter, without the temporary folder: the others have numbers that are new each time. */
function shortened(told, folder) {
  const lines = told.replaceAll(folder, "").split("\n");
  const mattering = lines.filter((line) => [TEXT, RESULT].some((words) => line.includes(words)));
  const text = (mattering.length > 0 ? mattering : lines).join("\n").trim();
  const from = Math.max(0, text.indexOf(TEXT) + TEXT.length - MOST);
  const to = Math.min(text.length, from + MOST);
  return `${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`;
}
