import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasCompiler } from "../../../client/test/support/compiler.ts";
import { DaemonHome, decisionIn, NO_RM, on } from "./support/daemonHome.ts";

const GUARDED = on("BeforeTool", "run_shell_command", NO_RM);
const DENIED = { decision: "deny", reason: "no rm here" };

test.runIf(hasCompiler)("it keeps 32 projects warm, and closes the one that was not used for longest", async () => {
  const home = new DaemonHome(GUARDED);
  const project = (name: number) => join(home.dir, `work/${name}`);
  const call = async (name: number) => {
    mkdirSync(join(project(name), ".git"), { recursive: true });
    return decisionIn(await home.bash("rm x", { cwd: project(name), session: `s${name}` }));
  };
  for (let name = 0; name < 32; name++) expect(await call(name)).toEqual(DENIED);
  expect(await call(0)).toEqual(DENIED);
  expect(await call(32)).toEqual(DENIED);
  const roots = (await home.status()).projects.map(({ root }) => root);
  expect(roots.sort()).toEqual(
    [...Array(33).keys()]
      .filter((name) => name !== 1)
      .map(project)
      .sort(),
  );
  expect(await call(1)).toEqual(DENIED);
});
