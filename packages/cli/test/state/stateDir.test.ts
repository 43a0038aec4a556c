import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hooksOn, Machine, PROJECT_FILE, USER_FILE } from "../support/machine.ts";

const NOTES = `printf '%s\\n' "$HOOKLINE_HOOK_STATE" >> ../noted; echo x >> "$HOOKLINE_HOOK_STATE/kept"`;
const GUARDED = { [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "notes", command: NOTES }]) };

const fire = (machine: Machine, env: Readonly<Record<string, string>> = {}) =>
  machine.cli(["fire", "BeforeTool", "--trust-project"], { env });

test("hooks get a folder of their own in the state of the project, the same one every time", async () => {
  const machine = new Machine(GUARDED);
  await fire(machine, { HOOKLINE_HOOK_STATE: "/of/somebody/else" });
  await fire(machine);
  const folder = join(machine.dir, machine.state, "hooks");
  expect(machine.read("noted")).toBe(`${folder}\n${folder}\n`);
  expect(machine.read(`${machine.state}/hooks/kept`)).toBe("x\nx\n");
  expect(readdirSync(join(machine.project, ".hookline"))).toEqual(["settings.json"]);
});

describe("HOOKLINE_STATE_DIR", () => {
  test("moves the state to an empty folder, which is marked and then used again", async () => {
    const machine = new Machine(GUARDED);
    const env = { HOOKLINE_STATE_DIR: join(machine.dir, "moved") };
    expect([(await fire(machine, env)).code, (await fire(machine, env)).code]).toEqual([0, 0]);
    expect(readdirSync(join(machine.dir, "moved"))).toEqual(
      expect.arrayContaining([".hookline-state", expect.stringMatching(/^project-/)]),
    );
    expect(machine.has("home/.hookline/projects")).toBe(false);
    expect((await machine.cli(["log"], { env })).stdout.trimEnd().split("\n")).toHaveLength(2);
    expect((await machine.cli(["log"])).stdout).toBe("Nothing is recorded here yet.\n");
  });

  test.each<[string, RegExp, (machine: Machine) => string]>([
    ["a relative path", /is not an absolute path/, () => "moved"],
    ["a folder of the project", /is inside the project/, ({ project }) => join(project, "state")],
    [
      "a folder that has something in it",
      /neither empty nor marked/,
      (machine) => {
        machine.write({ "full/tasks.db": "" });
        return join(machine.dir, "full");
      },
    ],
    [
      "a copy of a marked folder",
      /neither empty nor marked/,
      (machine) => {
        cpSync(join(machine.dir, "marked"), join(machine.dir, "copy"), { recursive: true });
        return join(machine.dir, "copy");
      },
    ],
    [
      "a link",
      /symbolic link/,
      (machine) => {
        mkdirSync(join(machine.dir, "empty"));
        symlinkSync("empty", join(machine.dir, "link"));
        return join(machine.dir, "link");
      },
    ],
    ["a folder that cannot be made", /cannot be used/, () => "/proc/hookline"],
  ])("that names %s is refused before anything runs", async (_, what, name) => {
    const machine = new Machine(GUARDED);
    await fire(machine, { HOOKLINE_STATE_DIR: join(machine.dir, "marked") });
    const { code, stderr } = await fire(machine, { HOOKLINE_STATE_DIR: name(machine) });
    expect({ code, ran: machine.read("noted").split("\n").length - 1 }).toEqual({ code: 1, ran: 1 });
    expect(stderr).toMatch(what);
  });
});

describe("hooksConfig.stateDir", () => {
  test("moves the state where the user's settings say so", async () => {
    const machine = new Machine(GUARDED);
    machine.write({ "moved/here": "", [USER_FILE]: { hooksConfig: { stateDir: join(machine.dir, "moved") } } });
    expect((await fire(machine)).code).toBe(0);
    expect(readdirSync(join(machine.dir, "moved"))).toContainEqual(expect.stringMatching(/^project-/));
    expect(machine.has("home/.hookline/projects")).toBe(false);
  });

  test("of a project is not obeyed, and said", async () => {
    const machine = new Machine();
    const settings = {
      ...hooksOn("BeforeTool", [{ name: "notes", command: NOTES }]),
      hooksConfig: { stateDir: "/tmp" },
    };
    machine.write({ [PROJECT_FILE]: settings });
    expect((await fire(machine)).code).toBe(0);
    expect(machine.has(`${machine.state}/journal.db`)).toBe(true);
    expect((await machine.cli(["validate"])).stdout).toContain("user and system files only");
  });

  test("inside of the project stops no hook: nothing is kept, and it is said", async () => {
    const machine = new Machine(GUARDED);
    machine.write({ [USER_FILE]: { hooksConfig: { stateDir: join(machine.project, "state") } } });
    const { code, stderr } = await fire(machine);
    expect({ code, ran: machine.has("noted") }).toEqual({ code: 0, ran: true });
    expect(stderr).toContain("the state folder is inside the project".slice(4));
    expect(existsSync(join(machine.project, "state"))).toBe(false);
  });
});

test("a folder without a mark belongs to the nearest one around it that has state; --project names one, also if it is gone", async () => {
  const machine = new Machine({ [USER_FILE]: hooksOn("BeforeTool", [{ name: "mine", command: "true" }]) });
  mkdirSync(join(machine.dir, "plain/sub/deeper"), { recursive: true });
  const logged = async (cwd: string, ...args: string[]) =>
    (await machine.cli(["log", ...args], { cwd })).stdout.match(/BeforeTool/g)?.length ?? 0;
  await machine.cli(["fire", "BeforeTool"], { cwd: "plain" });
  await machine.cli(["fire", "BeforeTool"], { cwd: "plain/sub/deeper" });
  expect(await logged("plain")).toBe(2);
  expect(await logged("plain/sub")).toBe(2);
  expect(await logged("project")).toBe(0);
  expect(await logged("project", "--project", "../plain")).toBe(2);
  expect(await logged("project", "--project", join(machine.dir, "plain/sub"))).toBe(2);
});
