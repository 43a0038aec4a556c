import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { SettingsConfig } from "../../src/hooks/config.ts";
import { temporaryFolder } from "../support/system.ts";

/** A project with these files, its hooks trusted and started. Scripts are made executable. */
export async function project(files: Readonly<Record<string, string | object>>) {
  const [dir, home] = [temporaryFolder(), temporaryFolder()];
  for (const [path, content] of Object.entries(files)) {
    const file = join(dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
    if (typeof content === "string" && content.startsWith("#!")) chmodSync(file, 0o755);
  }
  const config = new SettingsConfig({ workingDir: dir, homeDir: home, systemFile: join(home, "none"), trust: "all" });
  const system = config.getHookSystem();
  if (!system) throw new Error("hooks are on");
  onTestFinished(() => system.dispose());
  await system.initialize();
  return { dir, config, system, handler: system.getEventHandler() };
}

/** A script that reads its input as JSON and prints what the function's body returns, if anything. */
export function script(body: string): string {
  return `#!/usr/bin/env node
const input = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const answer = (() => { ${body} })();
if (answer !== undefined) console.log(JSON.stringify(answer));
`;
}

/** A settings file with one group of command hooks on an event. */
export function settings(
  eventName: string,
  group: { readonly hooks: readonly object[]; readonly [key: string]: unknown },
) {
  return { tools: { enableHooks: true }, hooks: { [eventName]: [group] } };
}
