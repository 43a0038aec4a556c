import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ROOT } from "../../../test/repository.ts";
import { answerFrame, waitFrame } from "../../cli/src/daemon/wire.ts";
import { hasCompiler, isThere, script } from "./support/compiler.ts";

const SECONDS = Number(process.env.HOOKLINE_FUZZ_SECONDS ?? 3);
const clang = script.findCompiler(["clang", "clang-19", "clang-16", "clang-14"]) ?? "";
const hasClang = isThere("clang", clang !== "", { neededInCi: false });
const compiler = script.findCompiler() ?? "";
const client = (path: string) => join(ROOT, "packages/client", path);

test.runIf(hasCompiler)("the fuzzer's target compiles", () => {
  const target = join(temporaryFolder(), "readers.o");
  expect(script.compile(compiler, [...script.FLAGS, "-c"], target, [client("fuzz/readers.c")])).toBeUndefined();
});

test.runIf(hasClang)("no bytes from the daemon and no `run/closed` break their readers", { timeout: 600_000 }, () => {
  const folder = temporaryFolder();
  const target = join(folder, "readers");
  const sources = ["fuzz/readers.c", "src/frames.c", "src/closed.c"].map(client);
  const flags = [...script.FLAGS, "-g", "-fsanitize=fuzzer,address,undefined", "-fno-sanitize-recover=all"];
  expect(script.compile(clang, flags, target, sources)).toBeUndefined();

  const answer = answerFrame({ exitCode: 2, stdout: "to stdout", stderr: "to stderr" });
  const seeds = [answer, Buffer.concat([waitFrame(), answer]), Buffer.from("BeforeTool\t/work\nAfterTool\t/a\\nb\n")];
  for (const [index, seed] of seeds.entries())
    writeFileSync(join(folder, `seed-${index}`), `\x05${seed.toString("latin1")}`, "latin1");
  const options = [
    `-max_total_time=${SECONDS}`,
    "-max_len=512",
    `-dict=${client("fuzz/readers.dict")}`,
    "-print_final_stats=1",
  ];
  const { status, stderr } = spawnSync(target, [...options, `-artifact_prefix=${folder}/`, folder], {
    encoding: "utf8",
  });
  expect(status, stderr.slice(-4000)).toBe(0);
  expect(Number(/number_of_executed_units: (\d+)/.exec(stderr)?.[1])).toBeGreaterThan(1000);
});

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hookline-fuzz-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
