import type { Place } from "../errors.ts";
import type { EventCatalog } from "../events/eventSpec.ts";
import type { Problem } from "./hookDeclaration.ts";
import { entryNamed } from "./located.ts";
import { parseJson } from "./parseJson.ts";
import { doubt } from "./problem.ts";
import { projectFiles, type SettingsFile, settingsIn, without } from "./settingsFiles.ts";
import { readSettingsText } from "./settingsText.ts";
import { mapInTurn } from "./slices.ts";

/** Says which files further out in the work tree declare hooks, servers and abilities that are not loaded from here. */
export async function outerHooks(
  folders: readonly string[],
  { homeDir, catalog }: { homeDir: string; catalog: EventCatalog },
): Promise<readonly Problem[]> {
  const listed = await mapInTurn(folders, projectFiles);
  const files = without(
    listed.flatMap((folder) => folder.files),
    settingsIn(homeDir, "user"),
  );
  const found = await mapInTurn(files, (file) => declaredIn(file, catalog));
  const next = "Start from that folder, or declare them in this project.";
  return found.flat().map(({ where, what }) => doubt({ where, what, next }));
}

type Outside = Pick<Problem, "where" | "what">;
const hooksAt = (where: Place): Outside => ({
  where,
  what: "Hooks declared here, outside the project root, are not loaded.",
});
const serversAt = (where: Place): Outside => ({
  where,
  what: "MCP servers declared here, outside the project root, are not started.",
});

const abilityAt = (where: Place): Outside => ({
  where,
  what: "The ability declared here, outside the project root, is not loaded.",
});

async function declaredIn({ file, form }: SettingsFile, catalog: EventCatalog): Promise<readonly Outside[]> {
  const read = await readSettingsText(file);
  if (read.kind === "absent") return [];
  if (form === "ability") return [abilityAt({ file, line: 1, column: 1 })];
  if (read.kind === "broken" || form === "yaml") return [hooksAt({ file, line: 1, column: 1 })];
  const parsed = parseJson(file, read.text);
  if (parsed.kind === "broken") return [hooksAt(parsed.problem.where)];
  const keysOf = (name: string) => {
    const entry = parsed.root.kind === "map" ? entryNamed(parsed.root, name) : undefined;
    return entry?.value.kind === "map" ? { place: entry.keyPlace, keys: entry.value.entries } : undefined;
  };
  const [hooks, servers] = [keysOf("hooks"), keysOf("mcpServers")];
  return [
    ...(hooks?.keys.some(({ key }) => Object.hasOwn(catalog, key)) ? [hooksAt(hooks.place)] : []),
    ...(servers && servers.keys.length > 0 ? [serversAt(servers.place)] : []),
  ];
}
