import type { Place } from "../../errors.ts";
import type { EventCatalog } from "../../events/eventSpec.ts";
import type { DeclarationKind } from "../hooks/declarationKind.ts";
import { entryNamed } from "../values/located.ts";
import { parseJson } from "../values/parseJson.ts";
import { doubt, type Problem } from "../values/problem.ts";
import { mapInTurn } from "../values/slices.ts";
import { projectFiles, type SettingsFile, settingsIn, without } from "./settingsFiles.ts";
import { readSettingsText } from "./settingsText.ts";

/** Reports files further out in the work tree whose declarations are not loaded from here. */
export async function outerHooks(
  folders: readonly string[],
  { homeDir, ...reading }: Reading & { readonly homeDir: string },
): Promise<readonly Problem[]> {
  const listed = await mapInTurn(folders, (folder) => projectFiles(folder, reading.declares));
  const files = without(
    listed.flatMap((folder) => folder.files),
    settingsIn(homeDir, "user"),
  );
  const found = await mapInTurn(files, (file) => declaredIn(file, reading));
  const next = "Start from that folder, or declare them in this project.";
  return found.flat().map(({ where, what }) => doubt({ where, what, next }));
}

interface Reading {
  readonly catalog: EventCatalog;
  readonly declares: readonly DeclarationKind[];
}

type Outside = Pick<Problem, "where" | "what">;
const hooksAt = (where: Place): Outside => ({
  where,
  what: "Hooks declared here, outside the project root, are not loaded.",
});

async function declaredIn(
  { file, form, kind }: SettingsFile,
  { catalog, declares }: Reading,
): Promise<readonly Outside[]> {
  const read = await readSettingsText(file);
  if (read.kind === "absent") return [];
  if (kind) return [{ where: { file, line: 1, column: 1 }, what: kind.outside }];
  if (read.kind === "broken" || form === "yaml") return [hooksAt({ file, line: 1, column: 1 })];
  const parsed = parseJson(file, read.text);
  if (parsed.kind === "broken") return [hooksAt(parsed.problem.where)];
  const keysOf = (name: string) => {
    const entry = parsed.root.kind === "map" ? entryNamed(parsed.root, name) : undefined;
    return entry?.value.kind === "map" ? { place: entry.keyPlace, keys: entry.value.entries } : undefined;
  };
  const hooks = keysOf("hooks");
  const others = declares.flatMap(({ from, outside }) => {
    const found = "settings" in from ? keysOf(from.settings) : undefined;
    return found && found.keys.length > 0 ? [{ where: found.place, what: outside }] : [];
  });
  return [...(hooks?.keys.some(({ key }) => Object.hasOwn(catalog, key)) ? [hooksAt(hooks.place)] : []), ...others];
}
