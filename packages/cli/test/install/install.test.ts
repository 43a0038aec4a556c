import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Ended } from "../support/machine.ts";
import { hasProgram } from "../support/programs.ts";
import { NpmSandbox, ROOT } from "./npmSandbox.ts";

const CONSUMERS = fileURLToPath(new URL("../../../engine/test/fixtures/consumers/", import.meta.url));
/** An install takes seconds; on a machine with much else to do, minutes. */
const PATIENCE_MS = 600_000;
const PACKAGES = ["@hookline/engine", "@hookline/journal", "hookline"];
const { version } = JSON.parse(readFileSync(join(ROOT, "packages/cli/package.json"), "utf8"));
const GUARDED = withHook({ type: "command", name: "no-env", command: "echo Not this file. >&2; exit 2" });

/** The packages in `node_modules` are served as tarballs. */
describe.runIf(hasProgram("tar"))("what `npm pack` makes", { timeout: PATIENCE_MS }, () => {
  let sandbox: NpmSandbox;
  let tarballs: readonly string[];

  beforeAll(async () => {
    sandbox = await NpmSandbox.open();
    const packed = await sandbox.pack(ROOT, "tarballs", "--workspaces");
    tarballs = PACKAGES.map((name) => packed.get(name)?.file ?? `no tarball of ${name}`);
  }, PATIENCE_MS);
  afterAll(() => sandbox.close(), PATIENCE_MS);

  /** A project with these packages, and nothing else. */
  async function projectWith(name: string, packages: readonly string[]): Promise<string> {
    const project = sandbox.folder(name, { "package.json": JSON.stringify({ private: true, type: "module" }) });
    await sandbox.npm(project, "install", ...packages);
    return project;
  }

  /** What a person does first with the program. */
  async function useProgram(run: (...args: string[]) => Promise<Ended>): Promise<void> {
    expect(await run("--version")).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    expect(await run("list")).toMatchObject({ code: 0, stdout: expect.stringContaining("no-env") });
    const fired = await run("fire", "BeforeTool", "tool_name=write_file", "--trust-project", "--json");
    expect(fired).toMatchObject({ code: 2, stdout: expect.stringContaining("Not this file.") });
    // The journal needs the one native dependency.
    const logged = await run("log", "--event", "BeforeTool", "--json");
    expect(JSON.parse(logged.stdout)).toMatchObject({ event: "BeforeTool", outcome: "block" });
  }

  /** What the compiler says about strict programs. */
  async function compile(project: string, programs: readonly string[], lib: readonly string[] = []): Promise<string> {
    for (const program of programs) cpSync(join(CONSUMERS, program), join(project, program));
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
      module: "nodenext",
      target: "es2023",
      lib: ["es2023", ...lib],
      types: ["node"],
    };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: programs }));
    const { code, stdout, stderr } = await sandbox.start(project, join(ROOT, "node_modules/.bin/tsc"), "-p", project);
    return code === 0 ? stdout : `${stdout}${stderr}ended with ${code}`;
  }

  describe("of all packages, installed into an empty project,", () => {
    let project: string;
    beforeAll(async () => {
      project = await projectWith("project", [...tarballs, "@types/node"]);
    }, PATIENCE_MS);

    test.each(PACKAGES)("has a README and the licence of the repository: %s", (name) => {
      const installed = (file: string) => readFileSync(join(project, "node_modules", name, file), "utf8");
      expect(installed("LICENSE")).toBe(readFileSync(join(ROOT, "LICENSE"), "utf8"));
      expect(installed("README.md")).toMatch(new RegExp(`^# ${name}\n`));
    });

    test("lists and fires hooks by `npx hookline`", async () => {
      sandbox.folder("project", GUARDED);
      await useProgram((...args) => sandbox.start(project, "npx", "hookline", ...args));
    });

    // The types of the SDK need those of a browser.
    test("has types for strict programs", async () => {
      expect(await compile(project, ["withSdk.ts", "withProgram.ts"], ["dom"])).toBe("");
    });
  });

  test("of all packages, installed globally, lists and fires hooks", async () => {
    const prefix = sandbox.folder("global");
    await sandbox.npm(prefix, "install", "--global", "--prefix", prefix, ...tarballs);
    const project = sandbox.folder("anywhere", GUARDED);
    await useProgram((...args) => sandbox.start(project, join(prefix, "bin/hookline"), ...args));
  });

  describe("of the engine and the journal, installed without the program,", () => {
    let project: string;
    beforeAll(async () => {
      project = await projectWith("recorded", [...tarballs.slice(0, 2), "@types/node"]);
    }, PATIENCE_MS);

    test("keeps, reads and verifies what hooks decide", async () => {
      sandbox.folder("recorded", GUARDED);
      cpSync(join(CONSUMERS, "keepsJournal.mjs"), join(project, "keepsJournal.mjs"));
      const ended = await sandbox.start(project, process.execPath, "keepsJournal.mjs");
      const stdout = "BeforeTool write_file block Not this file.\n  no-env block\naltered or removed: 0\n";
      expect(ended).toEqual({ code: 0, stdout, stderr: "" });
    });

    test("brings no SDK of a model, no MCP client and no parser of command lines", () => {
      const installed = readdirSync(join(project, "node_modules"));
      expect(installed).toEqual(expect.arrayContaining(["@hookline", "libsql", "zod"]));
      const others = ["@google", "@modelcontextprotocol", "@clack", "ajv", "commander", "hookline"];
      expect(installed.filter((name) => others.includes(name))).toEqual([]);
    });

    test("has types for a strict program", async () => {
      expect(await compile(project, ["withJournal.ts"])).toBe("");
    });
  });

  describe("of the engine alone, installed without the SDK,", () => {
    let project: string;
    beforeAll(async () => {
      project = await projectWith("library", [...tarballs.slice(0, 1), "@types/node"]);
    }, PATIENCE_MS);

    test("lets a worker block an event of a program", async () => {
      sandbox.folder("library", {
        ...withHook({ type: "worker", name: "guard", command: "node guard.mjs" }),
        "guard.mjs": `import { serve } from "@hookline/engine/worker";
          serve({ BeforeTool: ({ tool_name }) => ({ decision: "deny", reason: "No " + tool_name + " here." }) });`,
        "main.mjs": `import { SettingsConfig } from "@hookline/engine";
          import { HookEventHandler } from "@hookline/engine/components";
          const config = new SettingsConfig({ workingDir: process.cwd(), trust: "all" });
          const { finalOutput } = await new HookEventHandler(config).fireBeforeToolEvent("write_file", { file_path: ".env" });
          console.log(finalOutput.isBlockingDecision(), finalOutput.getEffectiveReason());
          await config.getHookSystem().dispose();`,
      });
      const ended = await sandbox.start(project, process.execPath, "main.mjs");
      expect(ended).toEqual({ code: 0, stdout: "true No write_file here.\n", stderr: "" });
    });

    test("has types for a strict program", async () => {
      expect(await compile(project, ["withoutSdk.ts", "answers.ts", "seeds.ts"])).toBe("");
    });
  });
});

/** The files of a project with a BeforeTool hook. */
function withHook(hook: object): Readonly<Record<string, string>> {
  const hooks = [{ timeout: "30s", onError: "allow", ...hook }];
  return { ".hookline/settings.json": JSON.stringify({ hooks: { BeforeTool: [{ hooks }] } }), ".git/HEAD": "" };
}
