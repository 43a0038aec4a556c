import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SettingsConfig } from "../../src/hooks/config.ts";
import { CALL, commandHook, temporaryFolder, testSystem } from "../support/system.ts";
import { readText, tableRows } from "./repository.ts";

const IDS =
  "P1 P2 P3 P4 P5 P6 P7 R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 R14 R15 R16 R17 R18 R20 R22 S1 S3 S4 S5 S6 S7 S8".split(
    " ",
  );
const page = readText("docs/decisions/006-weak-points.md");
const [points = "", tests = ""] = page.split("## The tests that show it");
const shown = tableRows(tests).map(([id = "", file = "", title = ""]) => ({
  id,
  file: file.replaceAll("`", ""),
  title,
}));

test("the page has every weak point once, and for each the tests that show it absent", () => {
  expect(tableRows(points).map(([id]) => id)).toEqual(IDS);
  expect([...new Set(shown.map(({ id }) => id))]).toEqual(IDS);
});

test.each(shown)("$id: $file has a test called $title", ({ file, title }) => {
  const path = file.startsWith("packages/") ? file : `packages/engine/test/${file}`;
  expect(readText(path)).toContain(`"${title}"`);
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
