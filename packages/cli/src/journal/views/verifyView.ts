import type { Finding, Verification } from "@hookline/journal";
import { colours } from "../../terminal/colour.ts";
import type { Io } from "../../terminal/io.ts";
import { counted } from "../../terminal/table.ts";
import { visible } from "../../terminal/visible.ts";

/** Whether the records are those that were written, and all of them. */
export function verifyView(verification: Verification, io: Io): string[] {
  const { intact, others, unknown, findings, pruned } = verification;
  const { green, red, yellow, dim } = colours(io);
  const nobodys = `${counted(unknown, "record")} by somebody else: there is no key for them here`;
  if (!canTell(verification)) {
    return [
      yellow(
        `! ${counted(unknown, "record")} cannot be verified: there is no key for them here, and there are no others`,
      ),
    ];
  }
  return [
    ...(findings.length === 0
      ? [green(`✓ ${counted(intact, "record")} as written, none missing`)]
      : [...findings.map((finding) => red(`✗ ${findingText(finding)}`)), `${counted(intact, "record")} as written`]),
    ...(pruned ? [dim(prunedText(pruned))] : []),
    ...others.map((other) => dim(`${counted(other.intact, "record")} as written in ${visible(other.project)}`)),
    ...(unknown === 0 ? [] : [dim(nobodys)]),
  ];
}

/** Whether there is anything that can be verified; of a journal without its key nothing can be said. */
export function canTell({ intact, others, unknown, findings }: Verification): boolean {
  return unknown === 0 || intact + others.length + findings.length > 0;
}

function findingText(finding: Finding): string {
  switch (finding.kind) {
    case "altered":
      return `record ${finding.n} was altered or added, and not by hookline`;
    case "moved":
      return `record ${finding.n} does not stand where it was written`;
    case "removed":
      return `${numbers(finding)} removed`;
    case "cut":
      return `${numbers(finding)} cut off from the end`;
    case "forgedCheckpoint":
      return `records up to ${finding.n} were removed, and not by hookline: the signature for that is wrong`;
  }
}

function prunedText({ to, at, why }: NonNullable<Verification["pruned"]>): string {
  const how = why === "retention" ? "by hookline, as too old or too much" : "and a person accepted that";
  return `${numbers({ from: 1, to })} removed ${how}, last on ${dateText(at)}`;
}

/** A clock may have said anything. */
function dateText(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "an unknown day" : date.toISOString().slice(0, 10);
}

function numbers({ from, to }: { readonly from: number; readonly to: number }): string {
  return from === to ? `record ${from} was` : `records ${from} to ${to} were`;
}
