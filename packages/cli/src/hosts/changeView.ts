import { isDeepStrictEqual } from "node:util";
import { colours } from "../terminal/colour.ts";
import { durationText } from "../terminal/duration.ts";
import type { Io } from "../terminal/io.ts";
import { showFile } from "../terminal/showPlace.ts";
import { aligned, type Cell, counted } from "../terminal/table.ts";
import { unifiedDiff } from "../terminal/unifiedDiff.ts";
import { visible, visibleLines } from "../terminal/visible.ts";
import { clientFiles } from "./clientFiles.ts";
import { fitted } from "./fitted.ts";
import { ownGroups } from "./hookEntries.ts";
import type { HostPlan } from "./hostPlan.ts";
import { dialectOf } from "./seatNamed.ts";
import { callsClient } from "./wantedGroups.ts";

/** All lines for who wants to look closely, a line per hook for who is asked, one line for who has decided. */
export type Detail = "diff" | "hooks" | "count";

/** What would become of one file. */
export async function changeView(
  plan: HostPlan,
  io: Io,
  { detail, projectRoot }: { readonly detail: Detail; readonly projectRoot: string },
): Promise<readonly string[]> {
  const { bold, dim } = colours(io);
  const { title } = dialectOf(plan.seat);
  const heading = fitted(`${title} · ${plan.level} · ${fileName(plan, io, projectRoot)}`, io, { first: "" });
  const shown = heading.map((line, index) => (index === 0 ? bold(title) + dim(line.slice(title.length)) : dim(line)));
  if (plan.bytes === undefined) return [...shown, dim("  nothing to change")];
  const body = detail === "diff" ? await diffLines(plan, io, projectRoot) : hookLines(plan, io, detail);
  return [...shown, ...body];
}

/** The name of a file, and where a link leads. */
export function fileName({ file }: Pick<HostPlan, "file">, { homeDir }: Io, projectRoot: string): string {
  const [path, target] = [file.path, file.target].map((one) => showFile(one, { projectRoot, homeDir }));
  return file.path === file.target || path === undefined ? (path ?? "") : `${path} → ${target}`;
}

function hookLines(plan: HostPlan, io: Io, detail: "hooks" | "count"): readonly string[] {
  const { green, red, yellow, dim } = colours(io);
  const signs = { added: green("+"), changed: yellow("~"), removed: red("-") };
  const changes = hookChanges(plan, io.homeDir);
  const kinds = (["added", "changed", "removed"] as const).map((kind) => changes.filter((one) => one.kind === kind));
  const counts = kinds.flatMap((of) => (of[0] === undefined ? [] : [`${counted(of.length, "hook")} ${of[0].kind}`]));
  const rest =
    plan.bytes === null ? "the file, which has nothing else, is removed" : "the rest of the file stays as it is";
  const total = fitted(`${counts.join(", ")}; ${rest}`, io).map(dim);
  if (detail === "count" || changes.length === 0) return counts.length === 0 ? [dim("  restored as it was")] : total;
  const rows = changes.map(({ event, about }): readonly Cell[] => [event, { text: about, style: dim }]);
  const lines = aligned(rows).map((line, index) => `  ${signs[changes[index]?.kind ?? "changed"]} ${line}`);
  const client = showFile(clientFiles(io.homeDir).program, { projectRoot: io.cwd, homeDir: io.homeDir });
  return [...lines, ...fitted(`each starts ${client}; ${rest}`, io).map(dim)];
}

interface HookChange {
  readonly kind: "added" | "changed" | "removed";
  readonly event: string;
  readonly about: string;
}

function hookChanges({ seat, file, before, after }: HostPlan, homeDir: string): readonly HookChange[] {
  const { program } = clientFiles(homeDir);
  const groupsIn = (text: string): ReadonlyMap<string, readonly unknown[]> =>
    text.trim() === "" ? new Map() : ownGroups(text, { file: file.path, isOurs: (hook) => callsClient(hook, program) });
  const [old, now] = [groupsIn(before), groupsIn(after)];
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((event): readonly HookChange[] => {
    const [was, is] = [old.get(event), now.get(event)];
    if (isDeepStrictEqual(was, is)) return [];
    const kind = was === undefined ? "added" : is === undefined ? "removed" : "changed";
    return [{ kind, event: visible(event), about: is === undefined ? "" : aboutHook(is, seat.timeout.unitMs) }];
  });
}

/** What the host is told besides the command. */
function aboutHook(groups: readonly unknown[], unitMs: number): string {
  const text = JSON.stringify(groups);
  const timeout = /"timeout":(\d+)/.exec(text)?.[1];
  return [
    ...(timeout === undefined ? [] : [`waits ${durationText(Number(timeout) * unitMs)}`]),
    ...(text.includes('"onFailure":"block"') ? ["blocks on failure"] : []),
    ...(text.includes("--trust-project") ? ["trusts every project"] : []),
  ].join(", ");
}

async function diffLines(
  { file, before, after, bytes }: HostPlan,
  io: Io,
  projectRoot: string,
): Promise<readonly string[]> {
  const { red, green, cyan, dim } = colours(io);
  const name = showFile(file.target, { projectRoot, homeDir: io.homeDir });
  const diff = await unifiedDiff(name, before, after);
  const lines = visibleLines(diff.trimEnd()).flatMap((line) => {
    const style = line.startsWith("+") ? green : line.startsWith("-") ? red : line.startsWith("@@") ? cyan : String;
    const [start = ""] = /^.? */.exec(line) ?? [];
    return fitted(line.slice(start.length), io, { first: start, rest: `${start}  ` }).map(style);
  });
  return [...lines, ...(bytes === null ? [dim("the file is removed")] : [])];
}
