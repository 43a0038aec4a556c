import { answerQuestion, hooklineSetup } from "../setups/hookline.mjs";
import {
  callThatFails,
  DENIED,
  ENDED,
  NOT_ASKED,
  RAN_AND_ENDED,
  RAN_HIDDEN,
  RAN_WITH_WORDS,
  REWRITTEN,
  REWRITTEN_RAN,
  TEXT,
} from "../words.mjs";

const block = { decision: "block", reason: TEXT };
const stop = { continue: false, stopReason: TEXT };
const ask = { decision: "ask", reason: TEXT };
const context = { hookSpecificOutput: { additionalContext: TEXT } };
const changed = (field, value) => ({ hookSpecificOutput: { [field]: value } });
const result = { llmContent: TEXT, returnDisplay: TEXT };
const response = {
  candidates: [{ content: { role: "model", parts: [TEXT] }, finishReason: "STOP", index: 0 }],
};

/**
 * By event of ours: what its hook answers to want an outcome, and what is seen if the host honours it. An outcome that a host degrades is seen
 * as the other one. Without a person an ask is a denial. `theirs`: of several events of the host that are the same to us, this one.
 */
const EVENTS = [
  {
    ours: "BeforeTool",
    answers: { block, stop, ask, rewrite: changed("tool_input", { command: REWRITTEN }), context },
    seen: { block: DENIED, stop: ENDED, ask: DENIED, rewrite: REWRITTEN_RAN, context: RAN_WITH_WORDS },
  },
  {
    ours: "AfterTool",
    answers: { block, stop, ask, replace: changed("tool_response", result), context },
    seen: { block: RAN_HIDDEN, stop: RAN_AND_ENDED, replace: RAN_HIDDEN, context: RAN_WITH_WORDS },
  },
  {
    ours: "AfterTool",
    theirs: "PostToolUseFailure",
    steps: callThatFails,
    answers: { block, stop, ask, replace: changed("tool_response", result), context },
    seen: { context: RAN_WITH_WORDS },
  },
  {
    ours: "BeforeAgent",
    answers: { block, stop, ask, rewrite: changed("prompt", TEXT), context },
    seen: { block: NOT_ASKED, stop: NOT_ASKED, context: RAN_WITH_WORDS },
  },
  { ours: "AfterAgent", answers: { block, ask }, once: true, seen: { block: RAN_WITH_WORDS } },
  { ours: "SessionStart", answers: { context }, seen: { context: RAN_WITH_WORDS } },
  {
    ours: "BeforeModel",
    answers: {
      block,
      stop,
      ask,
      rewrite: changed("llm_request", { messages: [{ role: "user", content: TEXT }] }),
      replace: changed("llm_response", response),
    },
    seen: { block: NOT_ASKED, stop: NOT_ASKED, rewrite: RAN_WITH_WORDS },
  },
  { ours: "BeforeToolSelection", answers: { block, stop, ask }, seen: { block: ENDED } },
  {
    ours: "AfterModel",
    answers: { block, stop, ask, replace: changed("llm_response", response) },
    seen: { stop: ENDED, replace: ENDED },
  },
];

/** A hook of ours that wants an outcome: does the agent honour it as the table of its dialect says? */
export const ANSWER_CASES = EVENTS.flatMap((row) =>
  Object.entries(row.answers).map(([outcome, answer]) => answerCase(row, outcome, answer)),
);

function answerCase({ ours, theirs, seen, steps, once = false }, outcome, answer) {
  return {
    name: `${ours}${theirs ? ` (${theirs})` : ""} ${outcome}`,
    column: { ours, theirs, outcome },
    steps,
    expected: ({ can }) => seen[can.is === "degraded" ? can.to : outcome],
    // An installation refuses hooks whose blocks become stops, unless a person agrees.
    prepare: (run) => hooklineSetup(run, { event: ours, script: says(answer, once), install: ["--accept-degraded"] }),
    ...(outcome === "ask" && ours === "BeforeTool" ? { during: denyQuestion } : {}),
  };
}

/** A host that cannot ask leaves the question to `hookline asks`; without a person, those that can deny at once. */
async function denyQuestion(run, { can }) {
  if (can.is === "degraded") await answerQuestion(run, ["deny"]);
}

/** After an objection to the end of a turn the agent goes on, to end once more. */
function says(answer, once) {
  const said = `printf '%s' '${JSON.stringify(answer)}'`;
  return once ? `mkdir "$0.said" 2> /dev/null && ${said}\nexit 0` : said;
}
