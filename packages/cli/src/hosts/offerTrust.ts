import type { LoadedSettings } from "@hookline/engine/program";
import { assertMayDecide } from "../decisions/decide.ts";
import { reviewTrust, storeTrust, trustReviewText } from "../decisions/reviewTrust.ts";
import type { Io } from "../terminal/io.ts";
import { trustQuestion } from "../trust/trustPolicy.ts";

/** As `hookline trust`: shows what this project would start, and asks. Hooks that wait for trust guard nothing. */
export async function offerTrust(io: Io, loaded: LoadedSettings): Promise<void> {
  const review = reviewTrust(loaded, io.homeDir);
  const { open, print, projectRoot } = review;
  if (open.length === 0) return;
  io.stdout(`\n${trustReviewText(review, io)}`);
  const about = { fingerprint: print, trusts: open.map(({ name }) => name) };
  await assertMayDecide(io, loaded, { command: "hookline trust", about });
  if (await io.confirm(trustQuestion(open, projectRoot))) storeTrust(review, io.homeDir);
}
