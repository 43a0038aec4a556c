import type { Approval, LoadedSettings } from "@hookline/engine/program";
import { Journal, placeOf } from "@hookline/journal";
import type { Io } from "../terminal/io.ts";
import { noticeTo } from "../terminal/notice.ts";

/** Records a person's decision made outside any session. */
export async function recordApproval(io: Io, loaded: LoadedSettings, approval: Approval): Promise<void> {
  const { journal: options } = loaded.optionsWithoutProject;
  const journal = new Journal();
  journal.start({ ...placeOf(io, loaded), env: io.env, options, onNotice: noticeTo(io) });
  journal.record({ kind: "approval", ...approval });
  await journal.close(io.signal);
}
