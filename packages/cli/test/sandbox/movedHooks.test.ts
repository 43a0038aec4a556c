import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { movedHooks } from "../../src/sandbox/movedHooks.ts";
import { readProjectSettings } from "../../src/sandbox/projectSettings.ts";
import { Relocation } from "../../src/sandbox/relocation.ts";

test("what hooks of every kind start, and their variables, are led into the copy; addresses stay", async () => {
  const root = join(realpathSync(mkdtempSync(join(tmpdir(), "hookline-moved-hooks-"))), "a, b");
  onTestFinished(() => rmSync(join(root, ".."), { recursive: true, force: true }));
  mkdirSync(join(root, ".hookline"), { recursive: true });
  for (const name of ["run.sh", "plugin.mjs"]) writeFileSync(join(root, name), "");
  const hooks = [
    { type: "command", name: "command", command: `'${root}/run.sh' --log='${root}/log'`, env: { LOG: `${root}/log` } },
    { type: "worker", name: "worker", command: `sh '${root}/run.sh'` },
    { type: "plugin", name: "plugin", module: `${root}/plugin.mjs` },
    { type: "http", name: "http", url: "https://example.com/a" },
  ];
  writeFileSync(join(root, ".hookline/settings.json"), JSON.stringify({ hooks: { BeforeTool: [{ hooks }] } }));
  const loaded = await readProjectSettings(root);
  const moved = movedHooks(loaded, new Relocation([root], "/tmp/copy/a, b"));
  const [command, worker, plugin, http] = moved.hooks;
  expect(command).toMatchObject({
    target: {
      fields: { command: "'/tmp/copy/a, b/run.sh' --log='/tmp/copy/a, b/log'" },
      files: ["/tmp/copy/a, b/run.sh"],
    },
    env: { LOG: "/tmp/copy/a, b/log" },
  });
  expect(worker?.target?.files).toEqual(["/tmp/copy/a, b/run.sh"]);
  expect(plugin?.target).toMatchObject({
    fields: { module: "/tmp/copy/a, b/plugin.mjs" },
    files: ["/tmp/copy/a, b/plugin.mjs"],
  });
  expect(http?.target).toEqual(loaded.hooks[3]?.target);
  expect(JSON.stringify(moved.hooks.map(({ target }) => target?.fields))).not.toContain(root);
});
