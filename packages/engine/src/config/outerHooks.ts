import type { Place } from "../errors.ts";
import type { EventCatalog } from "../events/eventSpec.ts";
import type { Problem } from "./hookDeclaration.ts";
import { entryNamed } from "./located.ts";
import { parseJson } from "./parseJson.ts";
import { doubt } from "./problem.ts";
import { projectFiles, type SettingsFile, settingsIn, without } from "./settingsFiles.ts";
import { readSettingsText } from "./settingsText.ts";

/** Says which files further out in the work tree declare hooks that are not loaded from here. */
export async function outerHooks(
  folders: readonly string[],
  { homeDir, catalog }: { homeDir: string; catalog: EventCatalog },
): Promise<readonly Problem[]> {
  const listed = await Promise.all(folders.map(projectFiles));
  const files = await without(
    listed.flatMap((folder) => folder.files),
    settingsIn(homeDir, "user"),
  );
  const places = await Promise.all(files.map((file) => declaredIn(file, catalog)));
  return places.flatMap((where) =>
    where === undefined
      ? []
      : [
          doubt({
            where,
            what: "Hooks declared here, outside the project root, are not loaded.",
            next: "Start from that folder, or declare them in this project.",
          }),
        ],
  );
}

async function declaredIn({ file, form }: SettingsFile, catalog: EventCatalog): Promise<Place | undefined> {
  const read = await readSettingsText(file);
  if (read.kind === "absent") return undefined;
  if (read.kind === "broken" || form === "yaml") return { file, line: 1, column: 1 };
  const parsed = parseJson(file, read.text);
  if (parsed.kind === "broken") return parsed.problem.where;
  const hooks = parsed.root.kind === "map" ? entryNamed(parsed.root, "hooks") : undefined;
  const declares = hooks?.value.kind === "map" && hooks.value.entries.some(({ key }) => Object.hasOwn(catalog, key));
  return declares ? hooks.keyPlace : undefined;
}
