import type { AbilityDeclaration, HookSystem, LoadedSettings } from "@hookline/engine";
import { colours } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";
import { showLine } from "../terminal/showPlace.ts";
import { aligned, type Cell } from "../terminal/table.ts";
import { shortened, visible } from "../terminal/visible.ts";

interface ListedAbility {
  readonly ability: AbilityDeclaration;
  readonly state: "on" | "off" | "untrusted" | "broken";
  readonly reason: string | null;
}

/** Every declared ability, and why those that cannot be run cannot. */
export function listAbilities({ abilities }: LoadedSettings, system: HookSystem): readonly ListedAbility[] {
  const { untrustedAbilities } = system.getStatus();
  return abilities.map((ability): ListedAbility => {
    const { name, off } = ability;
    if (off !== undefined) {
      const isBroken = off.kind === "broken";
      return { ability, state: isBroken ? "broken" : "off", reason: isBroken ? off.problem.what : off.what };
    }
    return untrustedAbilities.includes(name)
      ? { ability, state: "untrusted", reason: "its project is not trusted; run `hookline trust`" }
      : { ability, state: "on", reason: null };
  });
}

const HEAD = ["ability", "kind", "enabled", "operation_keys", "source"];
const LONGEST = 48;

export function abilityTable(listed: readonly ListedAbility[], projectRoot: string, io: Io): string[] {
  if (listed.length === 0) return [];
  const { bold, dim, yellow, red } = colours(io);
  const cells: Record<ListedAbility["state"], Cell> = {
    on: "true",
    off: { text: "false", style: dim },
    untrusted: { text: "untrusted", style: yellow },
    broken: { text: "broken", style: red },
  };
  const rows = listed.map(({ ability, state }): Cell[] => [
    shortened(ability.name, LONGEST),
    ability.type,
    cells[state],
    shortened(ability.operationKeys.join(", ") || "-", LONGEST),
    { text: showLine(ability.place, { projectRoot, homeDir: io.homeDir }), style: dim },
  ]);
  const [head = "", ...body] = aligned([HEAD.map((text) => ({ text, style: bold })), ...rows]);
  const lines = body.flatMap((line, index) => {
    const { state, reason } = listed[index] ?? {};
    // Trust is given to a project as a whole: it is said once, below.
    return reason && state !== "untrusted" ? [line, dim(`  off: ${visible(reason)}`)] : [line];
  });
  return ["", head, ...lines];
}

export function abilityJson({ ability, state, reason }: ListedAbility): unknown {
  const { name, description, type, operationKeys, environments, writes, source, place } = ability;
  return {
    id: name,
    ...(description === undefined ? {} : { summary: description }),
    kind: type,
    enabled: state === "on",
    state,
    reason,
    operation_keys: operationKeys,
    environments,
    writes,
    layer: source,
    source: place,
  };
}
