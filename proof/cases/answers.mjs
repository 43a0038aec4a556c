import { tableSeat } from "../seats/table.mjs";
import {
  DENIED,
  ENDED,
  NOT_ASKED,
  RAN,
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
const response = {
  candidates: [{ content: { role: "model", parts: [TEXT] }, finishReason: "STOP", index: 0 }],
};

/**
 * By event of ours: what its hook answers to want an outcome, and what is seen if the host honours it. An outcome that a host degrades is seen
 * as the other one, and one that it cannot do is seen as `allow`. Without a person an ask is a denial.
 */
const EVENTS = {
  BeforeTool: {
    answers: { block, stop, ask, rewrite: changed("tool_input", { command: REWRITTEN }), context },
    seen: { allow: RAN, block: DENIED, stop: ENDED, ask: DENIED, rewrite: REWRITTEN_RAN, context: RAN_WITH_WORDS },
  },
  AfterTool: {
    answers: {
      block,
      stop,
      ask,
      replace: changed("tool_response", { llmContent: TEXT, returnDisplay: TEXT }),
      context,
    },
    seen: { allow: RAN, block: RAN_HIDDEN, stop: RAN_AND_ENDED, replace: RAN_HIDDEN, context: RAN_WITH_WORDS },
  },
  BeforeAgent: {
    answers: { block, stop, ask, rewrite: changed("prompt", TEXT), context },
    seen: { allow: RAN, block: NOT_ASKED, stop: NOT_ASKED, context: RAN_WITH_WORDS },
  },
  AfterAgent: { answers: { block, ask }, once: true, seen: { allow: RAN, block: RAN_WITH_WORDS } },
  SessionStart: { answers: { context }, seen: { allow: RAN, context: RAN_WITH_WORDS } },
  BeforeModel: {
    answers: {
      block,
      stop,
      ask,
      rewrite: changed("llm_request", { messages: [{ role: "user", content: TEXT }] }),
      replace: changed("llm_response", response),
    },
    seen: { allow: RAN, block: NOT_ASKED, stop: NOT_ASKED, rewrite: RAN_WITH_WORDS },
  },
  BeforeToolSelection: { answers: { block, stop, ask }, seen: { allow: RAN, block: ENDED } },
  AfterModel: {
    answers: { block, stop, ask, replace: changed("llm_response", response) },
    seen: { allow: RAN, stop: ENDED, replace: ENDED },
  },
};

/** A hook of ours that wants an outcome: does the agent honour it as the table of its dialect says? */
export const ANSWER_CASES = Object.entries(EVENTS).flatMap(([ours, columns]) =>
  Object.entries(columns.answers).map(([outcome, answer]) => answerCase({ ours, outcome, answer, ...columns })),
);

function answerCase({ ours, outcome, answer, seen, once = false }) {
  return {
    name: `${ours} ${outcome}`,
    column: { ours, outcome },
    expected: ({ can }) => seen[asDone(can, outcome)],
    prepare: (run, { event }) => tableSeat(run, { event, answer, once }),
  };
}

function asDone(can, outcome) {
  if (can.is === "yes") return outcome;
  return can.is === "degraded" ? can.to : "allow";
}

/** After an objection to the end of a turn the agent goes on, to end once more. */
function says(answer, once) {
  const said = `printf '%s' '${JSON.stringify(answer)}'`;
  return once ? `mkdir "$0.said" 2> /dev/null && ${said}\nexit 0` : said;
}
