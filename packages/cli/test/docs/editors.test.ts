import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseYaml, plain } from "@hookline/engine/program";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { parse } from "jsonc-parser";
import { describe, expect, test } from "vitest";
import { filesIn, ROOT, readText } from "../../../../test/repository.ts";
import { Machine } from "../support/machine.ts";

/** What an editor checks, and the schema it checks it with. */
const CHECKED = [
  { files: /\/\.(hookline|gemini)\/settings\.json$/, schema: "settings.schema.json" },
  { files: /\/\.system\/hooks\/[^/]+\.yaml$/, schema: "hook.schema.json" },
  { files: /\/\.system\/abilities\/[^/]+\.yaml$/, schema: "ability.schema.json" },
  { files: /\.hooktest\.yaml$/, schema: "hooktest.schema.json" },
].filter(({ schema }) => existsSync(join(ROOT, "schemas", schema)));
const EXAMPLES = filesIn("examples");

describe.each(CHECKED)("schemas/$schema", ({ files, schema }) => {
  const found = EXAMPLES.filter((file) => files.test(file));
  const validate = new AjvJsonSchemaValidator().getValidator(JSON.parse(readText(`schemas/${schema}`)));

  test.each(found)("accepts %s", (file) => {
    expect(validate(readValue(file))).toMatchObject({ valid: true });
  });

  test.each(found)("is the one that %s names, if it names one", (file) => {
    const named = /\$schema(?:"\s*:\s*"|=)([^"\s]+)/.exec(readText(file))?.[1];
    if (named !== undefined) expect(join(dirname(file), named)).toBe(`schemas/${schema}`);
  });

  test("refuses a key that nobody knows", () => {
    const [file = ""] = found;
    const value = { ...Object(readValue(file)), hooks: { Nobody: [] }, id: "A B", tests: "none" };
    expect(validate(value)).toMatchObject({ valid: false });
  });
});

function readValue(file: string): unknown {
  if (file.endsWith(".json")) return parse(readText(file));
  const parsed = parseYaml(file, readText(file));
  if (parsed.kind === "broken") throw new Error(parsed.problem.what);
  return plain(parsed.root);
}

test("a settings file with `$schema`, and YAML files with a schema line, are valid without a finding", async () => {
  const line = (name: string) => `# yaml-language-server: $schema=../schemas/${name}.schema.json\n`;
  const hook = { type: "command", name: "a", command: "sh hooks/a.sh", timeout: "5s" };
  const machine = new Machine({
    "project/hooks/a.sh": "cat > /dev/null\n",
    "project/.hookline/settings.json": {
      $schema: "https://example.org/schemas/settings.schema.json",
      hooks: { SessionStart: [{ hooks: [hook] }] },
    },
    "project/.system/hooks/b.yaml": `${line("hook")}id: b\nevent_type: SessionEnd\nhandler:\n  kind: script\n  command: sh hooks/a.sh\n`,
    "project/.system/abilities/c.yaml": `${line("ability")}id: c\nsummary: nothing\nimplementation:\n  kind: script\n  command: sh hooks/a.sh\n`,
  });
  const { code, stdout } = await machine.run(["validate", "--strict", "--json"]);
  const { problems, hooks, abilities } = JSON.parse(stdout);
  expect({ code, problems, hooks, abilities }).toEqual({ code: 0, problems: [], hooks: 2, abilities: 1 });
});
