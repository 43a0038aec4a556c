import type { Verification } from "./verifyJournal.ts";

/** The journal, for programs that embed the engine: a recorder that keeps what happens. */
export { Journal, type JournalSetup } from "./journal.ts";
export type { Finding } from "./verifyChain.ts";
export type { Verification } from "./verifyJournal.ts";

/** Goes through all records that this user's programs wrote in a project. */
export async function verifyJournal(projectRoot: string, homeDir: string): Promise<Verification> {
  const { verifyJournal } = await import("./verifyJournal.ts");
  return verifyJournal({ projectRoot, homeDir });
}
