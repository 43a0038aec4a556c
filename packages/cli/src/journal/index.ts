/** The journal, for programs that embed the engine: a recorder that keeps what happens. */
export { Journal, type JournalSetup } from "./journal.ts";
export { type Finding, type Verification, verifyJournal } from "./verifyJournal.ts";
