import { ANSWER_CASES } from "./answers.mjs";
import { FAULT_CASES } from "./faults.mjs";
import { PLAIN_CASES } from "./plain.mjs";

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {{ ours: string, theirs?: string, outcome: string }} [column] The column of the dialect's table that it proves.
 * @property {string} [failure] The row of the dialect's table of failures that it proves, by words of its `when`.
 * @property {(facts: Facts) => string} expected
 * @property {(facts: Facts) => boolean} [isFor]
 * @property {(run: import("../agentRun.mjs").AgentRun, facts: Facts) => Promise<void>} prepare
 * @property {(run: import("../agentRun.mjs").AgentRun, facts: Facts) => Promise<void>} [during] Beside the agent.
 * @property {(agent: import("../agents/index.mjs").Agent, project: string) => import("../model/server.mjs").Step[]} [steps]
 * @property {{ trustsHooks?: boolean }} [options]
 *
 * @typedef {object} Facts What the dialect says about a case.
 * @property {object} dialect
 * @property {string} beforeTool The host's name of that event.
 * @property {string} [event] The host's event of the column.
 * @property {object} [can]
 * @property {object} [failure]
 */

/** @type {readonly Case[]} */
export const CASES = [...PLAIN_CASES, ...ANSWER_CASES, ...FAULT_CASES];

/** The cases that a host has, with what its dialect says about them. */
export function casesOf(dialect) {
  return CASES.flatMap((one) => {
    const facts = factsOf(one, dialect);
    return isThere(one, facts) ? [{ one, facts }] : [];
  });
}

/** What a host cannot do leaves nothing to see: hookline does not even say it. */
function isThere({ column, failure, isFor }, facts) {
  if (column && (facts.can ?? NONE).is === "no") return false;
  if (failure && facts.failure === undefined) return false;
  return isFor?.(facts) ?? true;
}

const NONE = { is: "no" };

function factsOf({ column, failure }, dialect) {
  const event = column && (column.theirs ?? eventOf(dialect, column.ours));
  return {
    dialect,
    beforeTool: eventOf(dialect, "BeforeTool"),
    event,
    can: dialect.events[event]?.can?.[column.outcome],
    failure: dialect.failure.rows.find(({ when }) => failure && when.includes(failure)),
  };
}

/** Some hosts have further events that are the same to us; those fire on other occasions. */
function eventOf(dialect, ours) {
  return Object.entries(dialect.events).find(([, event]) => event.ours === ours)?.[0];
}
