import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PROJECT_FILE, workspace } from "./workspace.ts";

const ABILITY_FILE = "project/.system/abilities/any.yaml";
const abilityKeys = [
  "id",
  "input",
  "type",
  "properties",
  "required",
  "items",
  "enum",
  "$ref",
  "implementation",
  "kind",
];
const serverKeys = [
  "command",
  "args",
  "cwd",
  "url",
  "httpUrl",
  "headers",
  "env",
  "timeout",
  "includeTools",
  "disabled",
];
const words = ["script", "mcp", "http", "true", "5s", "(", "./x.sh", "https://x.example", "\0", "__proto__"];

/** The right words in any arrangement: much closer to the code than random bytes. */
function wild(names: readonly string[]): fc.Arbitrary<unknown> {
  return fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.oneof(fc.constantFrom(...words), fc.integer(), fc.boolean(), fc.constant(null), fc.string()),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names, "__proto__"), tie("value"), { maxKeys: 5 }),
    ),
  })).value;
}

const contents = fc
  .oneof(
    wild(abilityKeys),
    wild(abilityKeys).map((value) => ({
      id: "x",
      input: { type: "object", properties: { value } },
      implementation: value,
    })),
    wild(abilityKeys).map((value) => ({
      operation_keys: value,
      environments: value,
      writes: value,
      implementation: value,
    })),
    wild(serverKeys).map((value) => ({ mcpServers: value })),
    wild(serverKeys).map((value) => ({ mcpServers: { kit: value, "no name": value } })),
  )
  .map((value) => JSON.stringify(value));

test("whatever stands in an ability file or in mcpServers, loading ends with problems that have a place", async () => {
  const space = await workspace();
  const files = [PROJECT_FILE, ABILITY_FILE].map((file) => join(space.dir, file));
  for (const file of files) await mkdir(dirname(file), { recursive: true });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string().map((text) => Buffer.from(text)),
    contents.map((text) => Buffer.from(text)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (text) => {
      for (const file of files) await writeFile(file, text);
      const { problems, hooks, others } = await space.load();
      for (const { where, what, next } of problems) {
        expect(where.line).toBeGreaterThan(0);
        expect(where.column).toBeGreaterThan(0);
        expect([files.includes(where.file), what.length > 0, next.length > 0]).toEqual([true, true, true]);
      }
      for (const one of [...hooks, ...others]) {
        expect(one.target ?? one.off, "what cannot run says why").toBeDefined();
      }
    }),
    { numRuns: 100 },
  );
});
