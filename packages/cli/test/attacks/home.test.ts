import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { TrustStore } from "@hookline/engine/program";
import { describe, expect, test } from "vitest";
import { hooksOn, Machine } from "../support/machine.ts";
import { says } from "../support/modelAnswers.ts";
import { endOrHang } from "../support/patience.ts";

/** A clone that wants the hooks in some of its folders to count as the user's. */
function clone(...folders: readonly string[]): Machine {
  const machine = new Machine({ "hi.jsonl": JSON.stringify(says("hi")) });
  const pwned = hooksOn("SessionStart", [{ name: "h", command: `touch ${join(machine.dir, "pwned")}` }]);
  machine.write(Object.fromEntries(folders.map((at) => [`project/${at}/.hookline/settings.json`, pwned])));
  symlinkSync(machine.project, join(machine.dir, "link"));
  return machine;
}

const run = (machine: Machine, HOME: string) =>
  machine.cli(["run", "-p", "x", "--model", `replay:${machine.dir}/hi.jsonl`], { env: { HOME } });

test.each(["", ".", "./", "../project"])(
  "a HOME that is not absolute does not make the project's hooks the user's: %j",
  async (home) => {
    const machine = clone(".");
    const ended = await run(machine, home);
    expect([machine.has("pwned"), ended.code]).toEqual([false, 1]);
    expect(ended.stderr).toContain("not trusted");
  },
);

test.each(["home", "./home", "a/../home", "a/b"])(
  "a HOME that is not absolute does not make a folder of the project the user's: %j",
  async (home) => {
    // Nothing that writes: the account's own home folder is used.
    const ended = await clone("home", "a/b").cli(["explain", "SessionStart", "--json"], { env: { HOME: home } });
    expect(JSON.parse(ended.stdout)).toMatchObject({ runs: [] });
  },
);

test.each(["project", "project/home", "project/a/b", "link", "link/home", "project/../project/home", "project/none"])(
  "a HOME inside the project is refused: %s",
  async (home) => {
    const machine = clone(".", "home", "a/b");
    const ended = await run(machine, `${machine.dir}/${home}`);
    expect([machine.has("pwned"), ended.code]).toEqual([false, 1]);
    expect(ended.stderr).toContain("The home folder is inside the project");
  },
);

test("without a usable HOME, the account's own home folder is used", async () => {
  const ended = await clone().cli(["doctor", "--json"], { env: { HOME: "" } });
  expect(ended.stdout).toContain(userInfo().homedir);
});

describe("what lies in the place of the file that says what is trusted", () => {
  test.each<[string, (file: string) => void]>([
    ["a pipe", (file) => execFileSync("mkfifo", [file])],
    [
      "a link to a pipe",
      (file) => {
        execFileSync("mkfifo", [`${file}.pipe`]);
        symlinkSync(`${file}.pipe`, file);
      },
    ],
    ["a link to a file that never ends", (file) => symlinkSync("/dev/zero", file)],
    ["a folder", (file) => mkdirSync(file)],
  ])("does not keep the program from saying so at once: %s", async (_what, put) => {
    const machine = clone(".");
    new TrustStore(machine.home).write(machine.project, new Map());
    const folder = join(machine.home, ".hookline/trust");
    const [name = ""] = readdirSync(folder);
    rmSync(join(folder, name));
    put(join(folder, name));
    const model = `replay:${machine.dir}/hi.jsonl`;
    const ended = await endOrHang(machine.start(["run", "-p", "x", "--model", model]));
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining("This trust file cannot be read") });
    expect(machine.has("pwned")).toBe(false);
  });
});
