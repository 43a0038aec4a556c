import { join } from "node:path";

/** What hooks say in these cases. Nothing else says it: a request that has it has it from a hook. */
export const TEXT = "Words of the hook.";

/** The result of the tool; its command line does not have it. */
export const RESULT = "result-4711";

const printsResult = (file) => `printf "%s-%s" result 4711 | tee ${file}`;
export const REWRITTEN = printsResult("rewritten.txt");

/** A turn: the model runs a command that makes ran.txt, then ends. */
export function callOfShell(agent) {
  return [agent.shell(printsResult("ran.txt")), { text: "Done." }];
}

/** The same with a command that fails. */
export function callThatFails(agent) {
  return [agent.shell(`${printsResult("ran.txt")}; exit 3`), { text: "Done." }];
}

/** The same with the tool that writes files. */
export function callOfWrite(agent, project) {
  return [agent.write(join(project, "ran.txt"), "written"), { text: "Done." }];
}

/** What is seen, as `seen` says it. */
export const RAN = "the tool ran, the model read the result";
export const RAN_WITH_WORDS = "the tool ran, the model read the result and the hook's words";
export const RAN_HIDDEN = "the tool ran, the model read the hook's words";
export const RAN_AND_ENDED = "the tool ran, the model was asked once";
export const REWRITTEN_RAN = "the tool ran as rewritten, the model read the result";
export const DENIED = "the tool did not run, the model read the hook's words";
export const REFUSED = "the tool did not run, the model read a refusal";
export const REFUSED_BY_CLIENT = "the tool did not run, the model read the client's refusal";
export const ENDED = "the tool did not run, the model was asked once";
export const NOT_ASKED = "the tool did not run, the model was not asked";
export const unasked = (seen) => `${seen}, the hook was not asked`;
