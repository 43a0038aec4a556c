// A program that embeds the engine, for tests of how it ends: embedder.mjs <timeoutMs> <how it ends> <hook>
import { ProcessGroups } from "../../dist/process/processGroups.js";
import { runProcess } from "../../dist/process/runProcess.js";

const [timeoutMs, howItEnds, hook] = process.argv.slice(2);
const groups = new (class extends ProcessGroups {
  add(pid) {
    console.log(pid);
    super.add(pid);
  }
})();
const ending = runProcess(
  {
    argv: [hook],
    stdin: "{}",
    cwd: "/",
    env: { PATH: process.env.PATH },
    timeoutMs: Number(timeoutMs),
    killGraceMs: 60_000,
    reportLeftBehind: true,
    outputLimitBytes: 1000,
  },
  groups,
);

switch (howItEnds) {
  case "exits-while-it-runs":
    setTimeout(() => process.exit(0), 500);
    break;
  case "throws-while-it-runs":
    setTimeout(() => {
      throw new Error("on purpose");
    }, 500);
    break;
  case "exits-after-the-ending":
    console.log((await ending).kind);
    process.exit(0);
    break;
  case "falls-off-the-end":
    console.log((await ending).kind);
    break;
}
