// Suggests the documents that a prompt is about. It looks for whole words: "importable" says nothing about a table.
import { readFileSync } from "node:fs";

const MOST_CHARACTERS = 20_000; // a prompt may carry a pasted log; what it is about stands at its beginning

const { user_raw_input } = JSON.parse(readFileSync(0, "utf8"));
const routes = JSON.parse(readFileSync(new URL("../routing.json", import.meta.url), "utf8"));
const prompt = wordsOf(user_raw_input.slice(0, MOST_CHARACTERS));

const hook_signals = routes.flatMap(({ topic, words, documents }) => {
  const found = words.filter((word) => prompt.includes(wordsOf(word)));
  if (found.length === 0) return [];
  // Only words of our own table are repeated, never the prompt's.
  const payload = { topic, suggested_documents: documents, reason: `The prompt says ${found.join(", ")}.` };
  return [{ kind: "routing_hint", code: "ROUTE_SUGGESTION", severity: "info", payload }];
});

if (hook_signals.length > 0) console.log(JSON.stringify({ hook_signals }));

/** " like this " for "Like  thís!": lower case, no accents, a space around every word. */
function wordsOf(text) {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return ` ${plain.match(/[\p{L}\p{N}]+/gu)?.join(" ") ?? ""} `;
}
