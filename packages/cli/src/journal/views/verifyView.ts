import type { ChainFinding, Verification } from "@hookline/journal";
import { colours } from "../../terminal/colour.ts";
import type { Io } from "../../terminal/io.ts";
import { counted } from "../../terminal/table.ts";
import { visible } from "../../terminal/visible.ts";

/** Shows whether all records are present and intact. */
export function verifyView(verification: Verification, io: Io): string[] {
  const { intact, others, unknown, findings, pruned } = verification;
  const { green, red, yellow, dim } = colours(io);
  const nobodys = `${counted(unknown, "record")} by another user: there is no key for them here`;
  if (!canTell(verification)) {
    return [yellow(`! the journal cannot be verified: there is no key here for its ${counted(unknown, "record")}`)];
  }
  return [
    ...(findings.length === 0
      ? [green(`✓ ${counted(intact, "record")} intact, none missing`)]
      : [...findings.map((finding) => red(`✗ ${findingText(finding)}`)), `${counted(intact, "record")} intact`]),
    ...(pruned ? [dim(prunedText(pruned))] : []),
    ...others.map((other) => dim(`${counted(other.intact, "record")} intact from ${visible(other.project)}`)),
    ...(unknown === 0 ? [] : [dim(nobodys)]),
  ];
}

/** Whether anything can be verified; without its key, a journal proves nothing. */
export function canTell({ intact, others, unknown, findings }: Verification): boolean {
  return unknown === 0 || intact + others.length + findings.length > 0;
}

function findingText(finding: ChainFinding): string {
  switch (finding.kind) {
    case "altered":
      return `record ${finding.n} was altered or added by a program other than hookline`;
    case "moved":
      return `record ${finding.n} was moved from its place`;
    case "removed":
      return `${numbers(finding)} removed`;
    case "cut":
      return `${numbers(finding)} cut off from the end`;
    case "forgedCheckpoint":
      return `records up to ${finding.n} were removed by a program other than hookline: the checkpoint's signature is wrong`;
  }
}

function prunedText({ to, at, why }: NonNullable<Verification["pruned"]>): string {
  const how = why === "retention" ? "by hookline, beyond its age or size limits" : "and a person accepted it";
  return `${numbers({ from: 1, to })} removed ${how}, last on ${dateText(at)}`;
}

/** A wrong clock may have written anything. */
function dateText(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "an unknown date" : date.toISOString().slice(0, 10);
}

function numbers({ from, to }: { readonly from: number; readonly to: number }): string {
  return from === to ? `record ${from} was` : `records ${from} to ${to} were`;
}
