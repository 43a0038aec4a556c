import type { AbilityDeclaration } from "../../declarations/abilities/abilityDeclaration.ts";
import { colours } from "../../terminal/colour.ts";
import type { Io } from "../../terminal/io.ts";
import { showLine } from "../../terminal/showPlace.ts";
import { aligned, type Cell } from "../../terminal/table.ts";
import { shortened, visible, visibleJson } from "../../terminal/visible.ts";

const LONGEST_SUMMARY = 60;

export function abilityTable(abilities: readonly AbilityDeclaration[], io: Io): string[] {
  if (abilities.length === 0) return ["No abilities are declared here; they are files in .system/abilities."];
  const { bold, dim, yellow } = colours(io);
  const head = ["id", "kind", "operation_keys", "summary"].map((text) => ({ text, style: bold }));
  const rows = abilities.map((ability): Cell[] => [
    visible(ability.name),
    ability.type,
    visible(ability.operationKeys.join(", ")) || "–",
    ability.off
      ? { text: `off: ${shortened(whyOff(ability) ?? "", LONGEST_SUMMARY)}`, style: yellow }
      : { text: shortened(ability.description ?? "", LONGEST_SUMMARY), style: dim },
  ]);
  return aligned([head, ...rows]);
}

export function abilityDetails(ability: AbilityDeclaration, projectRoot: string, io: Io): string[] {
  const { bold, dim, yellow } = colours(io);
  const { name, description, type, operationKeys, environments, timeoutMs, writes, place, target, input } = ability;
  const fact = (label: string, text: string): Cell[] => [{ text: label, style: dim }, visible(text)];
  const fields = Object.entries(target?.fields ?? {}).filter(([field]) => field !== "argv");
  return [
    bold(visible(name)),
    ...(description ? [`  ${visible(description.trim())}`] : []),
    ...(ability.off ? [yellow(`  off: ${visible(whyOff(ability) ?? "")}`)] : []),
    ...aligned(
      [
        fact("declared", showLine(place, { projectRoot, homeDir: io.homeDir })),
        fact("kind", type),
        ...fields.map(([field, value]) => fact(field, typeof value === "string" ? value : JSON.stringify(value))),
        ...(operationKeys.length > 0 ? [fact("operation keys", operationKeys.join(", "))] : []),
        fact("environments", environments.join(", ") || "any"),
        fact("timeout", `${timeoutMs} ms`),
        ...(writes.length > 0 ? [fact("writes", writes.join(", "))] : []),
      ],
      "  ",
    ),
    dim("  input:"),
    ...visibleJson(input)
      .split("\n")
      .map((line) => `    ${line}`),
  ];
}

export function abilityJson(ability: AbilityDeclaration): unknown {
  const { name, description, type, operationKeys, environments, timeoutMs, writes, place, input, off } = ability;
  return {
    id: name,
    summary: description ?? null,
    kind: type,
    operation_keys: operationKeys,
    environments,
    timeout_ms: timeoutMs,
    writes,
    input,
    enabled: off === undefined,
    reason: whyOff(ability) ?? null,
    source: place,
  };
}

function whyOff({ off }: AbilityDeclaration): string | undefined {
  if (off === undefined) return undefined;
  return off.kind === "broken" ? off.problem.what : off.what;
}
