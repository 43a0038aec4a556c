import { ADVICE, OUTDATED_TRUST } from "@hookline/engine/program";
import { calledIn, countedIn, type Examined } from "../trust/examineTrust.ts";
import { error, type Finding, ok, warning } from "./finding.ts";
import type { ProjectTrust } from "./projectTrust.ts";

export function trustFindings({ examined, gone, fault }: ProjectTrust): readonly Finding[] {
  const open = examined.filter(({ state }) => state === "new");
  const changed = examined.filter(({ state }) => state === "changed");
  const faults = fault ? [error({ what: fault.what, next: fault.next, ...fileOf(fault.where?.file) })] : [];
  return [
    ...faults,
    ...(open.length === 0 ? [] : [notTrusted(open)]),
    ...changed.map(wasChanged),
    ...gone.map((entry) =>
      warning({
        what: `${calledIn(entry)} was trusted and is no longer declared.`,
        next: `It was at ${entry.place}. Check who removed it; the next start forgets it.`,
      }),
    ),
    ...(open.length + changed.length + faults.length === 0 ? [allTrusted(examined)] : []),
  ];
}

function notTrusted(open: readonly Examined[]): Finding {
  const declared = open.map((one) => one.declared);
  const names = declared.map(({ name }) => name).join(", ");
  const [verb, they] = declared.length === 1 ? ["is", "it does"] : ["are", "they do"];
  const what = `${countedIn(declared)} of this project ${verb} not trusted, so ${they} not run: ${names}`;
  return warning({ what, next: "`hookline trust` shows what would start, and asks." });
}

function wasChanged({ declared: { name, place: where }, isOutdated }: Examined): Finding {
  const what = isOutdated
    ? `"${name}" was trusted with hookline 0.1 and does not run: ${OUTDATED_TRUST}.`
    : `"${name}" has changed since it was trusted, so it does not run.`;
  return { severity: "warning", where, what, next: ADVICE.HOOK_CHANGED };
}

function allTrusted(examined: readonly Examined[]): Finding {
  if (examined.length === 0) return ok("nothing in this project needs trust");
  return ok(`${countedIn(examined.map(({ declared }) => declared))} of this project trusted`);
}

function fileOf(file: string | undefined): { readonly file?: string } {
  return file === undefined ? {} : { file };
}
