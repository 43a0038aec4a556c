import type { Approval, LoadedSettings } from "@hookline/engine";
import type { Io } from "../io.ts";
import { noticeTo } from "../notice.ts";
import { Journal } from "./journal.ts";

/** A person's word that was given outside of any session. */
export async function recordApproval(io: Io, loaded: LoadedSettings, approval: Approval): Promise<void> {
  const { homeDir, env } = io;
  const { projectRoot, optionsWithoutProject } = loaded;
  const journal = new Journal();
  journal.start({ projectRoot, homeDir, env, options: optionsWithoutProject.journal, onNotice: noticeTo(io) });
  journal.record({ kind: "approval", ...approval });
  await journal.close();
}
