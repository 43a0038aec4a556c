import { z } from "zod";
import { type ConfigSource, type FileFamily, TRUST_LEVEL } from "../values/configSource.ts";
import { type Entry, plain, shown } from "../values/located.ts";
import { doubt, invalid, type Problem, type Report } from "../values/problem.ts";
import { reportUnknownKeys } from "../values/unknownKeys.ts";
import type { ApprovalSettings } from "./loadedSettings.ts";

/** The `approvals` settings of one file. */
export interface ApprovalLayer {
  readonly source: ConfigSource;
  readonly approvals: Partial<ApprovalSettings>;
}

export const approvalsSchema = z
  .strictObject({
    withoutTerminal: z
      .boolean()
      .optional()
      .describe("whether trust, enable, disable and task approve work without a terminal; default false"),
  })
  .describe("how a person decides; user and system files only");

const DEFAULTS: ApprovalSettings = { withoutTerminal: false };

interface Owner {
  readonly source: ConfigSource;
  readonly family: FileFamily;
}

/** A project must not decide how it gets approved, and other programs use the same key for different settings. */
export function readApprovals(
  entries: readonly Entry[],
  { source, family }: Owner,
): { layer: ApprovalLayer; problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const report: Report = (problem) => problems.push(problem);
  if (family === "gemini") return { layer: { source, approvals: {} }, problems };
  if (source !== "user" && source !== "system") {
    for (const { key, keyPlace: where } of entries) {
      const what = `"approvals.${key}" is read from user and system files only; here it is ignored.`;
      report(doubt({ where, what, next: "Write it into ~/.hookline/settings.json." }));
    }
    return { layer: { source, approvals: {} }, problems };
  }
  reportUnknownKeys(entries, { known: Object.keys(DEFAULTS), of: '"approvals"' }, report);
  return { layer: { source, approvals: readAll(entries, report) }, problems };
}

/** The most trusted layer that sets a value wins. */
export function mergeApprovals(layers: readonly ApprovalLayer[]): ApprovalSettings {
  const weakestFirst = layers.toSorted((a, b) => TRUST_LEVEL[a.source] - TRUST_LEVEL[b.source]);
  const said = weakestFirst.flatMap(({ approvals }) => approvals.withoutTerminal ?? []);
  return { withoutTerminal: said.at(-1) ?? DEFAULTS.withoutTerminal };
}

function readAll(entries: readonly Entry[], report: Report): Partial<ApprovalSettings> {
  const entry = entries.find(({ key }) => key === "withoutTerminal");
  if (!entry) return {};
  const value = plain(entry.value);
  if (typeof value === "boolean") return { withoutTerminal: value };
  report(
    invalid(
      entry.value.place,
      `"approvals.withoutTerminal" is true or false, not ${shown(entry.value)}.`,
      'Write "true" or leave it out.',
    ),
  );
  return {};
}
