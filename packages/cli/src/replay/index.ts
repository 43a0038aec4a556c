/** Replays recorded events through a changed hook set; only the command that does so loads this. */
export { replayJson } from "./replayJson.ts";
export { type ReplayReport, replayRecorded } from "./replayRecorded.ts";
export { replayView } from "./replayView.ts";
