/** Recorded events through a changed hook set: loaded only by the command that does it. */
export { replayJson } from "./replayJson.ts";
export { type ReplayReport, replayRecorded } from "./replayRecorded.ts";
export { replayView } from "./replayView.ts";
