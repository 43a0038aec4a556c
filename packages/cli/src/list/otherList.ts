import type { HookSystem } from "@hookline/engine";
import { declaredOf, type LoadedSettings, type OtherDeclaration } from "@hookline/engine/program";
import { DECLARATION_KINDS } from "../declarations/index.ts";
import type { ProgramKind, Standing } from "../declarations/programKind.ts";
import { colours } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";
import { showLine } from "../terminal/showPlace.ts";
import { aligned, type Cell } from "../terminal/table.ts";
import { shortened, visible } from "../terminal/visible.ts";

interface Listed {
  readonly declared: OtherDeclaration;
  readonly standing: Standing;
}

/** All declarations of one kind, each with the reason if it is off. */
export interface ListedKind {
  readonly kind: ProgramKind;
  readonly all: readonly Listed[];
}

export function listOthers({ others }: LoadedSettings, system: HookSystem): readonly ListedKind[] {
  const { untrustedOthers } = system.getStatus();
  const isUntrusted = ({ kind, name, source }: OtherDeclaration) =>
    source === "project" && untrustedOthers.some((one) => one.kind === kind && one.name === name);
  return DECLARATION_KINDS.map((kind) => ({
    kind,
    all: declaredOf(kind, others).map((declared) => ({
      declared,
      standing: standingOf(declared, isUntrusted(declared)),
    })),
  }));
}

function standingOf({ off }: OtherDeclaration, isUntrusted: boolean): Standing {
  if (off?.kind === "broken") return { enabled: false, state: "broken", reason: off.problem.what };
  if (off) return { enabled: false, state: "off", reason: off.what };
  if (!isUntrusted) return { enabled: true, state: "on", reason: null };
  return { enabled: false, state: "untrusted", reason: "its project is not trusted; run `hookline trust`" };
}

const LONGEST = 48;

export function otherTable({ kind, all }: ListedKind, projectRoot: string, io: Io): string[] {
  if (all.length === 0) return [];
  const { bold, dim, yellow, red } = colours(io);
  const cells: Record<Standing["state"], Cell> = {
    on: "true",
    off: { text: "false", style: dim },
    untrusted: { text: "untrusted", style: yellow },
    broken: { text: "broken", style: red },
  };
  const { name, type, about } = kind.heads;
  const rows = all.map(({ declared, standing }): Cell[] => [
    shortened(declared.name, LONGEST),
    declared.type,
    cells[standing.state],
    shortened(kind.about(declared), LONGEST),
    { text: showLine(declared.place, { projectRoot, homeDir: io.homeDir }), style: dim },
  ]);
  const heads = [name, type, "enabled", about, "source"].map((text) => ({ text, style: bold }));
  const [head = "", ...body] = aligned([heads, ...rows]);
  const lines = body.flatMap((line, index) => {
    const { state, reason } = all[index]?.standing ?? {};
    // Trust applies to the whole project: the note is printed once, below the list.
    return reason && state !== "untrusted" ? [line, dim(`  off: ${visible(reason)}`)] : [line];
  });
  return ["", head, ...lines];
}

/** Grouped by the key of each kind. */
export function othersJson(kinds: readonly ListedKind[]): Record<string, unknown> {
  return Object.fromEntries(
    kinds.map(({ kind, all }) => [
      kind.jsonKey,
      all.map(({ declared, standing }) => kind.listJson(declared, standing)),
    ]),
  );
}
