import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AgentProject } from "../support/agentProject.ts";
import { endOf, eventually, type Files, hooksOn, USER_FILE } from "../support/machine.ts";
import { calls, says } from "../support/modelAnswers.ts";
import { hasProgram } from "../support/programs.ts";

const WHO = ["-c", "user.email=a@b", "-c", "user.name=a"];

/** A person with a hook on SessionStop, in a repository that somebody else prepared. */
class HostileRepository {
  readonly project = new AgentProject();
  readonly machine = this.project.machine;
  readonly ran = join(this.machine.dir, "RAN");
  /** What a program of the repository does. A filter has to hand its input on. */
  readonly command = `touch '${this.ran}'; cat`;

  constructor() {
    this.machine.write({ [USER_FILE]: hooksOn("SessionStop", [{ name: "bye", command: "true" }]) });
    this.git("init", "--quiet");
    this.write({ "a.txt": "hi\n" });
    this.git("add", "a.txt");
    this.git("commit", "--quiet", "-m", "first");
  }

  git(...words: string[]): void {
    execFileSync("git", [...WHO, ...words], { cwd: this.machine.project, env: this.machine.env() });
  }

  write(files: Files): void {
    this.machine.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [`project/${path}`, text])));
  }

  /** The index no longer knows whether the content is the same, so that git has to compare it. */
  touch(path: string): void {
    utimesSync(join(this.machine.project, path), new Date(1_000_000), new Date(1_000_000));
  }

  get hasRun(): boolean {
    return this.machine.has("RAN");
  }
}

/** In quotes, as git's configuration has them. */
const quoted = (text: string) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
const filter = (name: string, key: string, command: string) =>
  `[filter ${quoted(name)}]\n\t${key} = ${quoted(command)}\n`;

describe.skipIf(!hasProgram("git"))("a session in a repository that somebody else prepared", () => {
  const FILTERS: readonly [string, (one: HostileRepository) => void][] = [
    ["a clean filter", (one) => one.write({ ".git/extra": filter("x", "clean", one.command) })],
    [
      "a filter that is a long-running process",
      (one) => one.write({ ".git/extra": filter("x", "process", one.command) }),
    ],
    [
      "a filter that is required",
      (one) => one.write({ ".git/extra": `${filter("x", "clean", one.command)}\trequired = true\n` }),
    ],
    [
      "a filter whose name looks like a setting",
      (one) =>
        one.write({
          ".git/extra": filter("x.clean=cat", "clean", one.command),
          ".gitattributes": "* filter=x.clean=cat\n",
        }),
    ],
    [
      "a filter in the configuration of the work tree",
      (one) => {
        one.git("config", "extensions.worktreeConfig", "true");
        one.write({ ".git/extra": "", ".git/config.worktree": filter("x", "clean", one.command) });
      },
    ],
    [
      "a filter whose attributes are kept elsewhere",
      (one) =>
        one.write({
          ".git/extra": `[core]\n\tattributesFile = ${quoted(join(one.machine.dir, "attributes"))}\n${filter("x", "clean", one.command)}`,
          "../attributes": "* filter=x\n",
          ".gitattributes": "",
        }),
    ],
  ];

  test.each(FILTERS)("%s does not run", async (_name, prepare) => {
    const one = new HostileRepository();
    one.write({ ".gitattributes": "* filter=x\n" });
    prepare(one);
    one.git("config", "include.path", "extra");
    one.touch("a.txt");
    const run = await one.project.run({ answers: [says("hello")] });
    expect({ code: run.code, ran: one.hasRun }).toEqual({ code: 0, ran: false });
  });

  test.each([
    ["lies there as ordinary files", "sub"],
    ["is named by a .git file", "sub/inner"],
  ])("a repository that %s is not believed", async (_name, folder) => {
    const one = new HostileRepository();
    const top = join(one.machine.project, "sub");
    one.write({
      "sub/HEAD": "ref: refs/heads/main\n",
      "sub/refs/heads/keep": "",
      "sub/objects/info/keep": "",
      "sub/config": `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ${quoted(join(one.machine.project, folder))}\n`,
      [`${folder}/.hookline/settings.json`]: {},
      [`${folder}/a.txt`]: "hi\n",
      [`${folder}/.gitattributes`]: "* filter=x\n",
    });
    const where = { GIT_DIR: top, GIT_WORK_TREE: join(one.machine.project, folder) };
    const env = { ...one.machine.env(), ...where };
    execFileSync("git", ["add", "a.txt"], { cwd: join(one.machine.project, folder), env });
    execFileSync("git", ["config", "filter.x.clean", one.command], { cwd: top, env });
    if (folder !== "sub") one.write({ [`${folder}/.git`]: `gitdir: ${top}\n` });
    one.touch(`${folder}/a.txt`);
    one.machine.write({ "hi.jsonl": `${JSON.stringify(says("hello"))}\n` });
    const model = `replay:${join(one.machine.dir, "hi.jsonl")}`;
    const { code } = await one.machine.cli(["run", "-p", "hi", "--model", model], { cwd: `project/${folder}` });
    expect({ code, ran: one.hasRun }).toEqual({ code: 0, ran: false });
  });

  test("a remote's program is not started for an object that is missing", async () => {
    const one = new HostileRepository();
    const output = (...words: string[]) => {
      const how = { cwd: one.machine.project, env: one.machine.env(), encoding: "utf8" } as const;
      return execFileSync("git", [...WHO, ...words], how).trim();
    };
    const branch = output("symbolic-ref", "HEAD");
    const first = output("rev-parse", "HEAD");
    one.write({ "b.txt": "more\n" });
    one.git("add", "b.txt");
    one.git("commit", "--quiet", "-m", "second");
    const [second, tree] = [output("rev-parse", "HEAD"), output("rev-parse", "HEAD^{tree}")];
    one.git("reset", "--quiet", first);
    rmSync(join(one.machine.project, ".git/objects", tree.slice(0, 2), tree.slice(2)));
    const remote = `[remote "o"]\n\turl = ${quoted(one.machine.home)}\n\tpromisor = true\n\tuploadpack = ${quoted(`touch '${one.ran}'; false`)}\n`;
    one.write({ ".git/extra": `[extensions]\n\tpartialClone = o\n${remote}[protocol "file"]\n\tallow = always\n` });
    one.git("config", "core.repositoryFormatVersion", "1");
    one.git("config", "include.path", "extra");
    const command = `echo ${second} > .git/${branch}`;
    const run = await one.project.run({ answers: [calls("run_shell_command", { command }), says("Done.")] });
    expect({ code: run.code, ran: one.hasRun }).toEqual({ code: 0, ran: false });
  });

  test("variables of the environment do not lead git into another repository", async () => {
    const one = new HostileRepository();
    one.write({ ".gitattributes": "* filter=x\n" });
    one.touch("a.txt");
    const env = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "filter.x.clean", GIT_CONFIG_VALUE_0: one.command };
    await one.project.run({ answers: [says("hello")], env });
    expect(one.hasRun).toBe(false);
  });
});

describe("a program called git in the project", () => {
  const PATHS: readonly [string, string, (project: string) => string][] = [
    ["through a relative folder", "git", () => "."],
    ["through an empty entry", "git", () => ""],
    ["through a folder of the project", "node_modules/.bin/git", (project) => join(project, "node_modules/.bin")],
    ["through a link into the project", "tools/git", (project) => join(project, "../linked")],
  ];
  const COMMANDS: readonly [string, readonly string[]][] = [
    ["doctor", ["doctor"]],
    ["test", ["test", "--trust-project"]],
    ["run", ["run", "-p", "hi", "--model", "replay:../hi.jsonl", "--trust-project"]],
  ];
  const CASES = PATHS.flatMap(([way, ...place]) =>
    COMMANDS.map(([name, args]) => [name, way, args, ...place] as const),
  );

  test.each(CASES)("is not started by `%s` %s", async (_name, _way, args, file, folder) => {
    const { machine } = new AgentProject({
      hooks: [{ on: "SessionStop", name: "bye" }],
      files: {
        [file]: '#!/bin/sh\ntouch "$HOME/RAN"\n',
        "a.hooktest.yaml":
          "tests:\n  - name: it runs\n    event: SessionStop\n    expect:\n      hooks: { bye: allow }\n",
      },
    });
    chmodSync(join(machine.project, file), 0o755);
    if (folder(machine.project).endsWith("linked")) {
      mkdirSync(join(machine.project, "tools"), { recursive: true });
      symlinkSync(join(machine.project, "tools"), join(machine.dir, "linked"));
    }
    machine.write({ "hi.jsonl": `${JSON.stringify(says("hello"))}\n` });
    await machine.cli(args, { env: { PATH: `${folder(machine.project)}:${process.env.PATH}` } });
    expect(machine.has("home/RAN")).toBe(false);
  });
});

describe.skipIf(!hasProgram("git"))(
  "a repository on which git fails does not switch off what runs only for some changes",
  () => {
    const BROKEN: readonly [string, (one: HostileRepository) => void][] = [
      ["by a configuration that cannot be read", ({ machine }) => machine.write({ "project/.git/config": "[core" })],
      ["by an index that is not one", ({ machine }) => machine.write({ "project/.git/index": "x".repeat(100) })],
      [
        "by a configuration that never ends",
        ({ machine }) => {
          const fifo = join(machine.dir, "fifo");
          execFileSync("mkfifo", [fifo]);
          machine.write({ "project/.git/config": `[include]\n\tpath = ${quoted(fifo)}\n` });
        },
      ],
      [
        "by a version of repositories that is still to come",
        ({ machine }) => machine.write({ "project/.git/config": "[core]\n\trepositoryformatversion = 99\n" }),
      ],
    ];

    test.each(BROKEN)("%s", async (_how, breakIt) => {
      const one = new HostileRepository();
      const match = "match:\n  only_if_changed_paths: src/**\n";
      one.machine.write({
        "project/.system/hooks/guard.yaml": `id: guard\nevent_type: SessionStop\nenabled: true\nblocking: true\n${match}handler:\n  kind: script\n  command: touch "$HOME/GUARDED"\n`,
      });
      breakIt(one);
      const shell = calls("run_shell_command", { command: "mkdir -p src && echo x > src/made.ts" });
      const run = await one.project.run({ answers: [shell, says("Done.")], output: "text" });
      expect(one.machine.has("home/GUARDED"), run.stderr).toBe(true);
      expect(run.stderr).toContain("it is unknown which files this session changed");
    });
  },
);

describe.skipIf(!hasProgram("git"))("a repository on which git never ends", () => {
  test.each<[string, (fifo: string) => string]>([
    ["by its configuration", (fifo) => `[include]\n\tpath = ${quoted(fifo)}\n`],
    ["by a condition in it", (fifo) => `[includeIf "gitdir:/"]\n\tpath = ${quoted(fifo)}\n`],
    ["by a file of ignored names", (fifo) => `[core]\n\texcludesFile = ${quoted(fifo)}\n`],
  ])("%s, does not keep the program from ending", async (_how, configuration) => {
    const one = new HostileRepository();
    const fifo = join(one.machine.dir, "fifo");
    execFileSync("mkfifo", [fifo]);
    const on = (name: string, command: string) => [{ hooks: [{ type: "command", name, command }] }];
    const hooks = { SessionStart: on("hello", ": > begun"), SessionStop: on("bye", ": > ended") };
    one.machine.write({ [USER_FILE]: { hooks }, "project/.git/config": configuration(fifo) });
    const { child, look } = one.project.start({ answers: [says("hello")] });
    const ended = endOf(child);
    child.stdin?.end();
    await eventually(() => one.machine.has("project/begun"), 30_000);
    const toldAt = performance.now();
    child.kill("SIGTERM");
    expect(look(await ended).code).toBe(130);
    expect(one.machine.has("project/ended")).toBe(true);
    // Three seconds for the hooks of the end, and not ten for each call of git.
    expect(performance.now() - toldAt).toBeLessThan(12_000);
  });
});
