import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readText } from "../../../../test/repository.ts";
import { SettingsConfig } from "../../src/hooks/config.ts";
import { CALL, commandHook, temporaryFolder, testSystem } from "../support/system.ts";

const page = readText("docs/decisions/006-guarantees.md");

/** `[trust](../../packages/…/trust.test.ts) "a name"; "another"`: a link to a test file, then names of its tests. */
const NAMED = /\]\(\.\.\/\.\.\/([^)]+\.test\.ts)\)((?:;? "[^"\n]+")+)/g;
const named = [...page.matchAll(NAMED)].flatMap(([, file = "", names = ""]) =>
  [...names.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => ({ file, name })),
);

test("every guarantee of the page names a test", () => {
  const rows = page.split("\n").filter((line) => /^\| [A-Z`].*\. \|/.test(line));
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter((row) => row.match(NAMED) === null)).toEqual([]);
});

test.each(named)("$file has a test called $name", ({ file, name }) => {
  expect(readText(file)).toContain(`"${name}"`);
});

test("a project whose path has spaces and quotes can run its scripts, and hooks get the path whole", async () => {
  const home = temporaryFolder();
  const dir = join(home, 'it\'s "my" project $HOME');
  mkdirSync(join(dir, "hooks"), { recursive: true });
  mkdirSync(join(dir, ".hookline"));
  for (const script of ["hooks/where.sh", "hooks/where too.sh"]) {
    writeFileSync(join(dir, script), '#!/bin/sh\nprintf %s "$HOOKLINE_PROJECT_DIR"\n');
    chmodSync(join(dir, script), 0o755);
  }
  const commands = ["./hooks/where.sh", '"$HOOKLINE_PROJECT_DIR/hooks/where too.sh"', "sh hooks/where.sh"];
  const hooks = { BeforeTool: [{ hooks: commands.map((command) => ({ type: "command", command })) }] };
  writeFileSync(join(dir, ".hookline/settings.json"), JSON.stringify({ hooks }));
  const config = new SettingsConfig({ workingDir: dir, homeDir: home, systemFile: join(home, "none"), trust: "all" });
  const system = config.getHookSystem();
  if (!system) throw new Error("hooks are on");
  onTestFinished(() => system.dispose());
  await system.initialize();
  expect(system.getStatus().problems).toEqual([]);
  const { success, finalOutput } = await system.getEventHandler().fireBeforeToolEvent(CALL);
  expect({ success, said: finalOutput?.systemMessage }).toEqual({ success: true, said: [dir, dir, dir].join("\n") });
});

test("shell text in a value is never run: values reach a command as environment only", async () => {
  const evil = "$(touch ran) `touch ran` \"; touch ran; ' #";
  process.env.EVIL = evil;
  onTestFinished(() => void delete process.env.EVIL);
  const command = 'printf %s "$EVIL" "$OWN"';
  const { handler, dir } = await testSystem(commandHook("BeforeTool", command, { env: { OWN: evil } }));
  const { finalOutput } = await handler.fireBeforeToolEvent({ ...CALL, tool_input: { content: evil } });
  expect(finalOutput?.systemMessage).toBe(evil + evil);
  expect(existsSync(join(dir, "ran"))).toBe(false);
});
