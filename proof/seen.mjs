import { RESULT, TEXT } from "./words.mjs";

/** What the agent really did: whether the tool ran, and what the model was asked next. */
export function seen(run) {
  return `the tool ${toolOf(run)}, the model ${modelOf(run.model.requests)}`;
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
  return requests.length === 1 ? "was asked once" : "read a refusal";
}

const MOST = 160;

/** The few words that show it: where the hook's words arrived, or the last result of a tool. */
export function evidence(run) {
  const { requests } = run.model;
  const results = requests.at(-1)?.results ?? [];
  const told = results.find((text) => text.includes(TEXT)) ?? placeOf(requests) ?? results.at(-1);
  const count = requests.length === 1 ? "1 request" : `${requests.length} requests`;
  const said = told === undefined ? `exit ${run.ended}` : JSON.stringify(shortened(told, run.folder));
  return `${count}, ${said}`;
}

/** The string in a request that has the hook's words. */
function placeOf(requests) {
  const strings = requests.flatMap(({ text }) => text.match(/"(?:[^"\\]|\\.)*"/g) ?? []);
  const found = strings.find((string) => string.includes(TEXT));
  return found && JSON.parse(found);
}

/** Around the hook's words, if they are there, and without the temporary folder. */
function shortened(told, folder) {
  const text = told.replaceAll(folder, "");
  const from = Math.max(0, text.indexOf(TEXT) + TEXT.length - MOST);
  const to = Math.min(text.length, from + MOST);
  return `${from > 0 ? "…" : ""}${text.slice(from, to).trim()}${to < text.length ? "…" : ""}`;
}
