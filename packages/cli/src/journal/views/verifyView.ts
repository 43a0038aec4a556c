import { colours } from "../../colour.ts";
import type { Io } from "../../io.ts";
import { counted } from "../../table.ts";
import type { Finding, Verification } from "../verifyJournal.ts";

/** Whether the records are those that were written, and all of them. */
export function verifyView({ intact, unknown, findings }: Verification, io: Io): string[] {
  const { green, red, dim } = colours(io);
  return [
    ...(findings.length === 0
      ? [green(`✓ ${counted(intact, "record")} as written, none missing`)]
      : [...findings.map((finding) => red(`✗ ${findingText(finding)}`)), `${counted(intact, "record")} as written`]),
    ...(unknown === 0 ? [] : [dim(`${counted(unknown, "record")} by somebody else: there is no key for them here`)]),
  ];
}

function findingText(finding: Finding): string {
  switch (finding.kind) {
    case "altered":
      return `record ${finding.n} was altered`;
    case "removed":
      return `${numbers(finding)} removed`;
    case "cut":
      return `${numbers(finding)} cut off from the end`;
    case "forgedCheckpoint":
      return `records up to ${finding.n} were removed, and not by hookline: the signature for that is wrong`;
  }
}

function numbers({ from, to }: { readonly from: number; readonly to: number }): string {
  return from === to ? `record ${from} was` : `records ${from} to ${to} were`;
}
