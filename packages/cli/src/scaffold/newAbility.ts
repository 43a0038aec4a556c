import { abilityProgram } from "./abilityProgram.ts";
import type { AbilityRequest } from "./abilityRequest.ts";
import { abilityFileSchema, abilityYaml } from "./abilityYaml.ts";
import { LANGUAGE_SPECS } from "./languages.ts";
import type { NewFile } from "./newFile.ts";
import type { Made } from "./publish.ts";
import { testScript } from "./testScript.ts";

/** The files of an ability. The declaration comes last, so that its program exists when it is first read. */
export function newAbility(request: AbilityRequest): Made {
  const { id } = request;
  const declaration = `.system/abilities/${id}.yaml`;
  const schema: NewFile = {
    path: ".system/schemas/ability.schema.json",
    text: `${JSON.stringify(abilityFileSchema(), null, 2)}\n`,
    shared: true,
  };
  const { command, files } = parts(request, declaration);
  const yaml: NewFile = {
    path: declaration,
    text: abilityYaml({ ...request, command }, "../schemas/ability.schema.json"),
  };
  return { kind: "ability", id, declaration, files: [schema, ...files, yaml] };
}

export const EXAMPLE_INPUT = { name: "world" };

interface Parts {
  /** The command of its program, if it has one. */
  readonly command: string;
  readonly files: readonly NewFile[];
}

function parts({ id, implementation }: AbilityRequest, declaration: string): Parts {
  const test = `scripts/abilities/${id}.test.sh`;
  if (implementation.kind !== "script") {
    return {
      command: "",
      files: [{ path: test, text: declarationTest(test, declaration, id), executable: true }],
    };
  }
  const { extension, command: commandFor } = LANGUAGE_SPECS[implementation.language];
  const program = `scripts/abilities/${id}.${extension}`;
  const command = commandFor(program);
  const answer = `"status":"success","output":${JSON.stringify({ received: EXAMPLE_INPUT })}`;
  const cases = [{ name: "example", shows: "the example is returned", input: EXAMPLE_INPUT, answer }];
  const files: readonly NewFile[] = [
    { path: program, text: abilityProgram(id, implementation.language), executable: true },
    {
      path: test,
      text: testScript({ path: test, command, variables: { HOOKLINE_ABILITY_ID: id }, cases }),
      executable: true,
    },
  ];
  return { command, files };
}

/** For an ability that calls another service: tests only the declaration, because a real call could have effects. */
function declarationTest(path: string, declaration: string, id: string): string {
  const lines = [
    "#!/bin/sh",
    `# Checks the declaration of ${id}. Run it with: sh ${path}`,
    "# Set HOOKLINE if the program is not on PATH as hookline.",
    'cd "$(dirname "$0")/../.." || exit 1',
    `\${HOOKLINE:-hookline} validate ${declaration}`,
    "",
    "# The ability calls another service. If a test may do that, run it:",
    `# \${HOOKLINE:-hookline} ability run ${id} --input '{}'`,
  ];
  return `${lines.join("\n")}\n`;
}
