/** What the program's own tools share with hooks: starting processes, limiting them, and ending their groups. */
export type { Captured, ProcessEnding } from "./ending.ts";
export { findInPath } from "./findProgram.ts";
export { LogTail } from "./logTail.ts";
export { ProcessGroups } from "./processGroups.ts";
export { type ProcessRequest, runProcess } from "./runProcess.ts";
export { scrubEnvironment } from "./scrubEnvironment.ts";
export { findShell } from "./shellCommand.ts";
export { spawnerFile } from "./spawner/spawnerFile.ts";
export { type ProcessExit, type StartedProcess, type StartRequest, startProcess } from "./startProcess.ts";
