import { plainSetup } from "../setups/plain.mjs";
import { DENIED, RAN, REFUSED, TEXT, unasked } from "../words.mjs";

/**
 * What agents do by themselves with a plain script in their settings. The first two show that the proof tells a call that ran from one that did
 * not; the others belong to rows of the table of failures, `failure`.
 */
export const PLAIN_CASES = [
  { name: "plain hook says nothing", script: "exit 0", expected: () => RAN },
  { name: "plain hook blocks", script: `echo '${TEXT}' >&2; exit 2`, expected: () => DENIED },
  {
    // A stop beside a block, which alone would make the agent go on.
    name: "plain hook stops at the end",
    column: { ours: "AfterAgent", outcome: "stop" },
    script: `echo '{"continue": false, "stopReason": "over", "decision": "block", "reason": "${TEXT}"}'`,
    expected: () => RAN,
  },
  ...failing({ name: "plain hook is too slow", failure: "timeout", script: "exec sleep 20", timeoutMs: 1000 }),
  ...failing({ name: "plain hook exits with 1", failure: "exit code 1", script: "echo broken >&2; exit 1" }),
  ...failing({ name: "plain hook exits with 3", failure: "exit code 3", script: "echo broken >&2; exit 3" }),
  ...failing({ name: "plain hook crashes", failure: "crash", script: "kill -9 $$" }),
  ...failing({ name: "plain hook is missing", failure: "missing program", script: null }),
  ...failing({
    name: "plain hook prints rubbish",
    failure: "unreadable answer",
    script: `echo '{"decision": "block", rubbish'`,
  }),
  ...failing({
    name: "plain hook exits with 2 in silence",
    failure: "exit code 2 without text",
    script: "exit 2",
  }),
  ...failing({
    name: "plain hook is not trusted",
    failure: "hooks that a person has not trusted",
    script: `echo '${TEXT}' >&2; exit 2`,
    options: { trustsHooks: false },
    expected: () => unasked(RAN),
  }),
].map(({ script, timeoutMs, blocksOnFailure, ...rest }) => ({
  ...rest,
  prepare: (run, { event, beforeTool }) =>
    plainSetup(run, { event: event ?? beforeTool, script, timeoutMs, blocksOnFailure }),
}));

/** With and without the setting that makes a host block on failures. */
function failing(one) {
  return [
    { expected: ({ failure }) => (failure.action === "runs" ? RAN : REFUSED), ...one },
    {
      ...one,
      name: `${one.name}, with a policy`,
      blocksOnFailure: true,
      isFor: ({ failure }) => failure.unless !== undefined,
      expected: () => REFUSED,
    },
  ];
}
