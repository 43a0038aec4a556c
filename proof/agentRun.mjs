import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { FakeModel } from "./model/server.mjs";
import { callOfShell } from "./words.mjs";

const LIMIT_MS = 60_000;

/** One run of an agent, in a home and a project of its own, with a fake model. */
export class AgentRun {
  /** The agent's exit code, or the signal that ended it. */
  ended = undefined;
  /** A file that our hook makes when it is asked; undefined if there is no hook. */
  hookMark = undefined;
  #output = "";
  #child;

  constructor({ agent, modules, folder, steps = callOfShell }) {
    this.agent = agent;
    this.modules = modules;
    this.folder = folder;
    this.home = join(folder, "home");
    this.project = join(folder, "project");
    this.model = new FakeModel(steps(agent, this.project));
  }

  async prepare() {
    await mkdir(this.home, { recursive: true });
    await mkdir(join(this.project, ".git"), { recursive: true });
    this.url = await this.model.start();
    await this.agent.prepare(this);
  }

  /** What the agent and our programs are started with. */
  get env() {
    return { PATH: process.env.PATH, HOME: this.home, LANG: "C.UTF-8", TERM: "dumb" };
  }

  /** What the agent printed, at most its end. */
  get output() {
    return this.#output.slice(-2000);
  }

  /** Runs the agent to its end; `during` is called beside it. */
  async agentRuns({ options, during }) {
    const [program, ...first] = await this.agent.program(this.modules);
    const args = [...first, ...this.agent.args("Please run it.", options)];
    const env = { ...this.env, ...this.agent.env(this.url) };
    this.#child = spawn(program, args, { cwd: this.project, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream.on("data", (text) => {
        this.#output += text;
      });
    }
    const timer = setTimeout(() => this.#kill(), LIMIT_MS);
    const end = new Promise((resolve, reject) => {
      this.#child.on("error", reject).on("close", (code, signal) => resolve(code ?? signal));
    });
    try {
      [this.ended] = await Promise.all([end, during?.()]);
    } finally {
      clearTimeout(timer);
      this.#kill();
    }
  }

  has(file) {
    return existsSync(join(this.project, file));
  }

  async waitFor(path) {
    const end = Date.now() + LIMIT_MS / 2;
    while (!existsSync(path)) {
      if (Date.now() > end) throw new Error(`${path} did not appear`);
      await pause(20);
    }
  }

  #kill() {
    try {
      process.kill(-this.#child.pid, "SIGKILL");
    } catch (error) {
      if (error.code !== "ESRCH") throw error; // the whole group has ended
    }
  }
}
