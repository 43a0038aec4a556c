import { createContext, Script } from "node:vm";

let room: { readonly script: Script; readonly context: Record<string, unknown> } | undefined;

/** Does the work in this thread. Throws once it takes longer, also in the middle of a regular expression: only a script in a context can be cut short. */
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

/** The error is one of the context: it is not an instance of this one's `Error`. */
export function isOutOfTime(error: unknown): boolean {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
