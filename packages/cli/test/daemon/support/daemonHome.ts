import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished } from "vitest";
import { type CallOptions, type Ended, Installation } from "../../../../client/test/support/installation.ts";
import type { ControlRequest } from "../../../src/daemon/control.ts";
import { daemonStatusSchema, questionsSchema } from "../../../src/daemon/controlSchemas.ts";
import { BINARY } from "../../support/machine.ts";

const CODE_CACHE = process.env.HOOKLINE_TEST_CODE_CACHE ?? "";

/** A hook that runs a piece of shell text. */
export function command(name: string, script: string, more: object = {}): object {
  return { type: "command", name, command: script, ...more };
}

/** One group of hooks for the tools that the matcher names. */
export function on(event: string, matcher: string, ...hooks: readonly object[]): object {
  return { hooks: { [event]: [{ matcher, hooks }] } };
}

/** Lets pass whatever does not say `rm`. */
export const NO_RM = command("no-rm", "grep -q 'rm ' && { echo 'no rm here' >&2; exit 2; }; exit 0", {
  onError: "block",
});

/** The home of a user with hookline installed for Claude Code, and the daemon that the client starts. */
export class DaemonHome extends Installation {
  constructor(settings: object | string = {}, options: { readonly folder?: string } = {}) {
    super(options);
    this.writeRun("daemon.start", [process.execPath, BINARY, "daemon", "run", "--home", this.dir, ""].join("\0"));
    this.removeRun("closed");
    symlinkSync(CODE_CACHE, join(this.dir, ".cache"));
    mkdirSync(join(this.project, ".git"));
    this.writeSettings(settings);
    onTestFinished(async () => void (await this.kill()));
  }

  /** The user's. Tests have no terminal, but decide. */
  writeSettings(settings: object | string): void {
    const mayDecide = { approvals: { withoutTerminal: true } };
    this.write(".hookline/settings.json", typeof settings === "string" ? settings : { ...mayDecide, ...settings });
  }

  write(path: string, content: string | object): void {
    const file = join(this.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o700 });
  }

  /** Trusts what the project declares, as a script does: with the fingerprint that was printed. */
  trust(): void {
    const trust = (...more: readonly string[]) => {
      const env = { HOME: this.dir, PATH: process.env.PATH ?? "" };
      const argv = [BINARY, "trust", "--json", ...more];
      return JSON.parse(spawnSync(process.execPath, argv, { cwd: this.project, env, encoding: "utf8" }).stdout);
    };
    expect(trust("--expect", trust().fingerprint)).toMatchObject({ trusted: true });
  }

  /** A call of Claude Code before a tool runs. */
  tool(name: string, input: object, { session = "s", id, ...options }: ToolOptions = {}): Promise<Ended> {
    const fields = { session_id: session, transcript_path: "", cwd: this.project, hook_event_name: "PreToolUse" };
    const payload = { ...fields, tool_name: name, tool_input: input, ...(id === undefined ? {} : { tool_use_id: id }) };
    return this.call({ ...this.#options, ...options, stdin: JSON.stringify(payload) });
  }

  bash(script: string, options: ToolOptions = {}): Promise<Ended> {
    return this.tool("Bash", { command: script }, options);
  }

  /** Any other call. */
  event(event: string, fields: object, options: CallOptions = {}): Promise<Ended> {
    const payload = { session_id: "s", transcript_path: "", cwd: this.project, hook_event_name: event, ...fields };
    return this.call({ ...this.#options, ...options, event, stdin: JSON.stringify(payload) });
  }

  get #options(): CallOptions {
    return { env: { HOME: this.dir, PATH: process.env.PATH ?? "" } };
  }

  /** Undefined if no daemon runs. */
  async ask(request: ControlRequest): Promise<unknown> {
    const socket = connect(this.socket);
    try {
      socket.write(`${JSON.stringify(request)}\n`);
      const [line] = await once(createInterface(socket), "line", { signal: AbortSignal.timeout(10_000) });
      return JSON.parse(line);
    } catch {
      return undefined;
    } finally {
      socket.destroy();
    }
  }

  async status() {
    return daemonStatusSchema.parse(await this.ask({ ask: "status" }));
  }

  async questions() {
    return questionsSchema.parse(await this.ask({ ask: "questions" }));
  }

  decide(id: string, approved: boolean, reason = "because"): Promise<unknown> {
    return this.ask({ ask: "decide", id, approved, reason });
  }

  /** Kills the daemon, and returns its process id; undefined if none runs. */
  async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<number | undefined> {
    const status = daemonStatusSchema.safeParse(await this.ask({ ask: "status" }));
    if (!status.success) return undefined;
    process.kill(status.data.pid, signal);
    return status.data.pid;
  }
}

interface ToolOptions extends CallOptions {
  readonly session?: string;
  /** The id of the call. */
  readonly id?: string;
}

/** What Claude Code reads from an answer before a tool runs. */
export function decisionIn({ stdout }: Ended): { readonly decision: unknown; readonly reason: unknown } {
  const answer = stdout.length === 0 ? {} : JSON.parse(stdout.toString());
  const { permissionDecision: decision, permissionDecisionReason: reason } = answer.hookSpecificOutput ?? {};
  return { decision, reason };
}
