// A program that embeds the engine, for tests of how it ends: embedder.mjs <timeoutMs> <how it ends> <hook> [arguments]
// With SPAWNER, a path, the hook is started by that.
import { ProcessGroups } from "../../dist/process/processGroups.js";
import { runProcess } from "../../dist/process/runProcess.js";
import { ProcessSpawner } from "../../dist/process/spawner/processSpawner.js";

const [timeoutMs, howItEnds, ...hook] = process.argv.slice(2);
const groups = new (class extends ProcessGroups {
  add(pid, send) {
    console.log(pid);
    super.add(pid, send);
  }
})();
const request = {
  argv: hook,
  stdin: "{}",
  cwd: "/",
  env: { PATH: process.env.PATH },
  timeoutMs: Number(timeoutMs),
  killGraceMs: 60_000,
  reportLeftBehind: true,
  outputLimitBytes: 1000,
};
const spawner = await startSpawner(process.env.SPAWNER);
const ending = runProcess(request, groups, spawner);

switch (howItEnds) {
  case "exits-while-it-runs":
    setTimeout(() => process.exit(0), 500);
    break;
  case "throws-while-it-runs":
    setTimeout(() => {
      throw new Error("on purpose");
    }, 500);
    break;
  case "is-killed-while-it-runs":
    setTimeout(() => process.kill(process.pid, "SIGKILL"), 500);
    break;
  case "exits-after-the-ending":
    console.log((await ending).kind);
    process.exit(0);
    break;
  case "exits-a-moment-after-the-ending":
    console.log((await ending).kind);
    setTimeout(() => process.exit(0), 300);
    break;
  case "falls-off-the-end":
    console.log((await ending).kind);
    break;
}

/** Prints its process id. */
async function startSpawner(file) {
  if (file === undefined) return undefined;
  const spawner = new ProcessSpawner(file);
  while (!spawner.isReadyFor(request)) await new Promise((resolve) => setTimeout(resolve, 10));
  const { stdout } = await runProcess(
    { ...request, argv: ["/bin/sh", "-c", "echo $PPID"] },
    new ProcessGroups(),
    spawner,
  );
  console.log(stdout.trim());
  return spawner;
}
