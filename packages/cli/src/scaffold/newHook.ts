import { hookProgram } from "./hookProgram.ts";
import type { HookRequest } from "./hookRequest.ts";
import { hookTest } from "./hookTest.ts";
import { hooktestFileSchema, hooktestYaml } from "./hooktestYaml.ts";
import { hookSchema, hookYaml } from "./hookYaml.ts";
import { LANGUAGE_SPECS } from "./languages.ts";
import type { NewFile } from "./newFile.ts";
import type { Made } from "./publish.ts";

/** The files of a hook. The declaration comes last, so that its program exists when it is first read. */
export function newHook(request: HookRequest): Made {
  const { id, language } = request;
  const spec = LANGUAGE_SPECS[language];
  const program = `scripts/hooks/${id}.${spec.extension}`;
  const test = `scripts/hooks/${id}.test.sh`;
  const declaration = `.system/hooks/${id}.yaml`;
  const command = spec.command(program);
  const files: NewFile[] = [
    schemaFile("hook", hookSchema()),
    schemaFile("hooktest", hooktestFileSchema()),
    { path: program, text: hookProgram(request), executable: true },
    { path: test, text: hookTest({ ...request, path: test, command }), executable: true },
    {
      path: `scripts/hooks/${id}.hooktest.yaml`,
      text: hooktestYaml(request, "../../.system/schemas/hooktest.schema.json"),
    },
    { path: declaration, text: hookYaml({ ...request, command }, "../schemas/hook.schema.json") },
  ];
  return { kind: "hook", id, files, declaration };
}

/** A schema for editors; one per kind serves all files. */
function schemaFile(kind: string, schema: unknown): NewFile {
  return { path: `.system/schemas/${kind}.schema.json`, text: `${JSON.stringify(schema, null, 2)}\n`, shared: true };
}
