/** Tests of hooks; only the command that runs them loads this. */
export { hooktestJson } from "./hooktestJson.ts";
export { fileView, totalsOf, totalsView } from "./hooktestView.ts";
export { openTests } from "./openTests.ts";
export { runAll } from "./runAll.ts";
export type { FileResult } from "./runHooktest.ts";
