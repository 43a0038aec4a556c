import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { action, CALL, registerAll, testSystem } from "../../support/system.ts";

/** A system in a folder where `link` leads to `secret`. */
async function linkedSystem() {
  const made = await testSystem();
  writeFileSync(join(made.dir, "secret"), "");
  symlinkSync("secret", join(made.dir, "link"));
  return made;
}

const READ = { ...CALL, tool_name: "read_file", tool_input: { file_path: "link" } };
const PATHS = { realPaths: true };

test("enforcing hooks are asked about the real path as well, and the input stays as it was sent", async () => {
  const { system, handler, dir, recorded } = await linkedSystem();
  const seen: unknown[] = [];
  const watch =
    () =>
    ({ tool_input, second_pass }: Record<string, unknown>) =>
      void seen.push([tool_input, second_pass]);
  registerAll(system, "BeforeTool", [
    action("guard", watch()),
    action("observer", watch(), { mode: "observe" }),
    action("free", () => {}, { blocking: false }),
  ]);
  const result = await handler.fireBeforeToolEvent(READ, PATHS);
  expect(seen).toEqual([
    [{ file_path: "link" }, undefined],
    [{ file_path: "secret" }, true],
    [{ file_path: "link" }, undefined],
  ]);
  expect(result).toMatchObject({ rewrites: [], realPaths: { file_path: join(dir, "secret") } });
  expect(recorded("hookEnded").map(({ hook, pass }) => `${hook.config.name} ${pass}`)).toEqual(
    expect.arrayContaining(["guard first", "guard second", "observer observe"]),
  );
});

test("objections of all runs count, and later hooks of a chain are not asked after a block", async () => {
  const { system, handler } = await linkedSystem();
  const asked: string[] = [];
  const on = (name: string, path: string) =>
    action(name, ({ tool_input }) => {
      const { file_path } = Object(tool_input);
      asked.push(`${name} ${file_path}`);
      return file_path === path ? { decision: "deny", reason: `${name}: no ${path}` } : {};
    });
  registerAll(system, "BeforeTool", [on("one", "secret"), on("two", "never")], { sequential: true });
  const { finalOutput } = await handler.fireBeforeToolEvent(READ, PATHS);
  expect(finalOutput).toMatchObject({ decision: "block", reason: "one: no secret" });
  expect(asked).toEqual(["one link", "two link", "one secret"]);
});

test("a rewrite for the real path is ignored and journalled; an earlier one stands and is followed", async () => {
  const { system, handler, dir, recorded } = await linkedSystem();
  const rewrite = (tool_input: object) => ({ hookSpecificOutput: { tool_input } });
  registerAll(system, "BeforeTool", [
    action("redirects", ({ second_pass }) => (second_pass ? rewrite({ limit: 1 }) : rewrite({ file_path: "link" }))),
  ]);
  const result = await handler.fireBeforeToolEvent({ ...READ, tool_input: { file_path: "other" } }, PATHS);
  expect(result.finalOutput?.getModifiedToolInput()).toEqual({ file_path: "link" });
  expect(result.realPaths).toEqual({ file_path: join(dir, "secret") });
  expect(recorded("merged")[0]?.notes).toEqual([
    'a rewrite of tool_input.limit by "redirects" for the real path was ignored',
  ]);
});

test("nothing is looked up for other tools, or where no guard matched", async () => {
  const { system, handler } = await linkedSystem();
  registerAll(system, "BeforeTool", [action("observer", () => {}, { mode: "observe" })]);
  expect(await handler.fireBeforeToolEvent(READ, PATHS)).not.toHaveProperty("realPaths");
  registerAll(system, "BeforeTool", [action("guard", () => {})]);
  expect(await handler.fireBeforeToolEvent({ ...READ, tool_name: "ask_oracle" }, PATHS)).not.toHaveProperty(
    "realPaths",
  );
  expect(await handler.fireBeforeToolEvent({ ...READ, tool_input: { file_path: 7 } }, PATHS)).toMatchObject({
    realPaths: {},
  });
});
