/** Tests of hooks: loaded only by the command that runs them. */
export { hooktestJson } from "./hooktestJson.ts";
export { fileView, totalsOf, totalsView } from "./hooktestView.ts";
export { openTests } from "./openTests.ts";
export { runAll } from "./runAll.ts";
export type { FileResult } from "./runHooktest.ts";
