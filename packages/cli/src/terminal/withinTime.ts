import { createContext, Script } from "node:vm";

let room: { readonly script: Script; readonly context: Record<string, unknown> } | undefined;

/** Does the work in this thread and throws at the time limit, even within a regular expression: Node can interrupt only a script in a VM context. */
export function withinTime<Result>(ms: number, work: () => Result): Result {
  room ??= { script: new Script("work()"), context: createContext({}) as Record<string, unknown> };
  let done: { readonly result: Result } | undefined;
  room.context.work = () => {
    done = { result: work() };
  };
  room.script.runInContext(room.context, { timeout: ms });
  if (done === undefined) throw new Error("the work was not done");
  return done.result;
}

/** Checks the code: the error comes from the context, so it is not an instance of our `Error`. */
export function isOutOfTime(error: unknown): boolean {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
