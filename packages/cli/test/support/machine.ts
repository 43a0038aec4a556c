import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type StatePlace, statePath } from "../../../journal/src/state/statePlace.ts";
import type { Io } from "../../src/terminal/io.ts";

/** HOOKLINE_TEST_CHECKOUT names another built checkout, to see a new test fail on older code. */
const CHECKOUT = process.env.HOOKLINE_TEST_CHECKOUT ?? fileURLToPath(new URL("../../../..", import.meta.url));

export const BINARY = join(CHECKOUT, "packages/cli/bin/hookline.js");
/** The built library, for tests that start a program which embeds it. */
export const ENGINE = join(CHECKOUT, "packages/engine/dist/index.js");

/** The homes of all machines share it (codeCacheSetup.ts): otherwise each of thousands of starts would compile the program. */
const CODE_CACHE = process.env.HOOKLINE_TEST_CODE_CACHE ?? "";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface CliOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** From the machine's folder; default: the project. */
  readonly cwd?: string;
  /** How many files the program may have open at once. */
  readonly descriptors?: number;
}

export type Files = Readonly<Record<string, unknown>>;

/** A home, a system file and a project of their own, inside one temporary folder. */
export class Machine {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), "hookline-cli-")));
  readonly home = join(this.dir, "home");
  readonly project = join(this.dir, "project");
  readonly systemFile = join(this.dir, "etc/settings.json");
  /** Whose state the program keeps for the project, and its folder by path from the machine's. */
  readonly place: StatePlace = { projectRoot: this.project, homeDir: this.home };
  readonly state = relative(this.dir, statePath(this.place));

  /** Files by path from the machine's folder; what is no text is written as JSON; scripts are executable. */
  constructor(files: Files = {}) {
    for (const folder of [this.home, join(this.project, ".git")]) mkdirSync(folder, { recursive: true });
    symlinkSync(CODE_CACHE, join(this.home, ".cache"));
    this.write(files);
    onTestFinished(() => removed(this.dir));
  }

  write(files: Files): void {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.dir, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
      if (file.endsWith(".sh")) chmodSync(file, 0o755);
    }
  }

  read(path: string): string {
    return readFileSync(join(this.dir, path), "utf8");
  }

  has(path: string): boolean {
    return existsSync(join(this.dir, path));
  }

  /** The built program, as a person starts it. */
  start(args: readonly string[], options: CliOptions = {}): ChildProcess {
    return this.startNode([BINARY, ...args], options);
  }

  /** A program of the test's own. */
  startNode(args: readonly string[], { env = {}, cwd = "project", descriptors }: CliOptions = {}): ChildProcess {
    const place = { cwd: join(this.dir, cwd), env: this.env(env) };
    const limited = ["-c", 'ulimit -n "$0" && exec "$@"', String(descriptors), process.execPath, ...args];
    const child = descriptors === undefined ? spawn(process.execPath, args, place) : spawn("sh", limited, place);
    child.stdin.on("error", () => {}); // it may end before it has read its input
    return child;
  }

  async cli(args: readonly string[], options: CliOptions = {}): Promise<Ended> {
    const child = this.start(args, options);
    child.stdin?.end(options.stdin ?? "");
    return endOf(child);
  }

  env(more: Readonly<Record<string, string>> = {}): Record<string, string> {
    return { PATH: process.env.PATH ?? "", HOME: this.home, ...more };
  }

  /** The program in this process, in a world that a test can change: by default a person's terminal, with streams that lead elsewhere. */
  async run(args: readonly string[], world: Partial<Io> = {}): Promise<Ended> {
    let [stdout, stderr] = ["", ""];
    // Most test files start the built program only, and need not load five hundred modules.
    const { run } = await import("../../src/program.ts");
    const code = await run(args, {
      stdout: (text) => {
        stdout += text;
      },
      stderr: (text) => {
        stderr += text;
      },
      readStdin: async () => "",
      confirm: async () => {
        throw new Error("Nobody is here to be asked");
      },
      env: {},
      cwd: this.project,
      homeDir: this.home,
      systemFile: this.systemFile,
      interactive: false,
      stdoutIsTTY: false,
      stderrIsTTY: false,
      colour: false,
      signal: new AbortController().signal,
      hasTerminal: () => true,
      ancestors: () => [],
      ...world,
    });
    return { code, stdout: withoutLateness(stdout), stderr: withoutLateness(stderr) };
  }
}

/** A program that was cut off may write the last of its journal meanwhile; then the folder is looked through again. */
async function removed(dir: string, attempts = 50): Promise<void> {
  try {
    rmSync(dir, { recursive: true, force: true });
  } catch (error) {
    if (attempts === 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, 100));
    await removed(dir, attempts - 1);
  }
}

/** That the journal took more than 100 ms says something about the machine, not about the program. */
export function withoutLateness(printed: string): string {
  return printed.replace(/^.*The journal is slow: .*\n/gm, "");
}

export function endOf(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ["", ""];
  child.stdout?.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout: withoutLateness(stdout), stderr: withoutLateness(stderr) }));
  });
}

/** Settings with command hooks on one event. */
export function hooksOn(event: string, hooks: readonly Files[], definition: Files = {}): Files {
  const withDefaults = hooks.map((hook) => ({ type: "command", timeout: "10s", onError: "allow", ...hook }));
  return { hooks: { [event]: [{ ...definition, hooks: withDefaults }] } };
}

export const PROJECT_FILE = "project/.hookline/settings.json";
export const USER_FILE = "home/.hookline/settings.json";
export const SYSTEM_FILE = "etc/settings.json";

export async function eventually(check: () => boolean, ms = 10_000): Promise<void> {
  const deadline = Date.now() + ms;
  while (!check()) {
    if (Date.now() > deadline) throw new Error(`Not within ${ms} ms: ${check}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
