import type { Approval, LoadedSettings } from "@hookline/engine/program";
import { placeOf } from "../state/placeOf.ts";
import type { Io } from "../terminal/io.ts";
import { noticeTo } from "../terminal/notice.ts";
import { Journal } from "./journal.ts";

/** A person's word that was given outside of any session. */
export async function recordApproval(io: Io, loaded: LoadedSettings, approval: Approval): Promise<void> {
  const { journal: options } = loaded.optionsWithoutProject;
  const journal = new Journal();
  journal.start({ ...placeOf(io, loaded), env: io.env, options, onNotice: noticeTo(io) });
  journal.record({ kind: "approval", ...approval });
  await journal.close(io.signal);
}
