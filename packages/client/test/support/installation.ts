import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type HookRequest, RequestReader } from "../../../cli/src/daemon/wire.ts";
import { DIALECTS } from "../../../engine/src/dialects/dialects.ts";
import { ownNo } from "../../../engine/src/dialects/ownNo.ts";
import { builtClient } from "./compiler.ts";

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
}

export interface CallOptions {
  readonly host?: string;
  readonly event?: string;
  readonly deadlineMs?: number;
  readonly askDeadlineMs?: number;
  readonly more?: readonly string[];
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly uid?: number;
}

/** What a daemon does with a request. */
export type Behaviour = (request: HookRequest, socket: Socket) => void;

const { exitCode = 0, stdout = "", stderr = "" } = ownNo(DIALECTS.claude, "PreToolUse")?.answer ?? {};
/** What the client says alone to Claude Code before a tool runs. */
export const REFUSED = { code: exitCode, signal: null, stdout, stderr };
export const PASSED = { code: 0, signal: null, stdout: "", stderr: "" };

/** `.hookline` with the client and its run folder, in a temporary folder, and a project beside it. */
export class Installation {
  readonly dir: string;
  readonly client: string;
  readonly run: string;
  readonly socket: string;
  readonly project: string;

  /** `folder` is a path below the temporary one, to make paths longer. */
  constructor({ folder = "home", client = builtClient() } = {}) {
    const temporary = realpathSync(mkdtempSync(join(tmpdir(), "hl-client-")));
    onTestFinished(() => rmSync(temporary, { recursive: true, force: true, maxRetries: 5 }));
    chmodSync(temporary, 0o755); // for tests that run it as another user
    this.dir = join(temporary, folder);
    this.run = join(this.dir, ".hookline/run");
    this.client = join(this.dir, ".hookline/bin/hookline-hook");
    this.socket = join(this.run, "daemon.sock");
    this.project = join(this.dir, "project");
    mkdirSync(join(this.dir, ".hookline/bin"), { recursive: true });
    mkdirSync(this.run, { mode: 0o700 });
    mkdirSync(this.project);
    copyFileSync(client, this.client);
    chmodSync(this.client, 0o755);
    this.writeRun("closed", "BeforeTool\t/\n");
  }

  writeRun(name: string, content: string | Uint8Array): void {
    writeFileSync(join(this.run, name), content, { mode: 0o600 });
  }

  removeRun(name: string): void {
    rmSync(join(this.run, name), { recursive: true, force: true });
  }

  /** The lines of `run/missed`: the outcome, why there was no answer, and the rest. */
  missed(): readonly { readonly outcome: string; readonly why: string; readonly where: readonly string[] }[] {
    const file = join(this.run, "missed");
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    return lines.map((line) => {
      const [time = "", host = "", event = "", outcome = "", why = "", cwd = ""] = line.split("\t");
      if (Math.abs(Number(time) - Date.now()) > 600_000) throw new Error(`${time} is not the time`);
      return { outcome, why, where: [host, event, cwd] };
    });
  }

  /** Why the last call had no answer. */
  why(): string | undefined {
    return this.missed().at(-1)?.why;
  }

  argv(options: CallOptions = {}): readonly string[] {
    const { host = "claude", event = "PreToolUse", deadlineMs = 30_000, askDeadlineMs = 60_000, more = [] } = options;
    return [host, event, "--deadline", `${deadlineMs}`, "--ask-deadline", `${askDeadlineMs}`, ...more];
  }

  start(options: CallOptions = {}, [command, ...args]: readonly string[] = [this.client]): ChildProcess {
    const { env = {}, cwd = this.project, uid } = options;
    const child = spawn(command ?? "", [...args, ...this.argv(options)], {
      cwd,
      env,
      ...(uid !== undefined && { uid }),
    });
    child.stdin.on("error", () => {}); // it may end before it has read its input
    return child;
  }

  async call(options: CallOptions = {}): Promise<Ended> {
    const child = this.start(options);
    child.stdin?.end(options.stdin ?? "{}");
    return endOf(child);
  }

  /** A daemon that reads requests as the real one does. Returns what it was asked. */
  async serve(
    behaviour: Behaviour,
    path = this.socket,
  ): Promise<{ readonly requests: HookRequest[]; readonly server: Server }> {
    const requests: HookRequest[] = [];
    const server = await this.listen((socket) => {
      const reader = new RequestReader();
      socket.resume().on("data", (chunk) => {
        const request = reader.push(chunk);
        if (request === undefined) return;
        requests.push(request);
        behaviour(request, socket);
      });
    }, path);
    return { requests, server };
  }

  /** Anything that listens on the socket. It reads a connection after `resume()`. */
  async listen(onConnection: (socket: Socket) => void, path = this.socket): Promise<Server> {
    const sockets = new Set<Socket>();
    const server = createServer({ pauseOnConnect: true }, (socket) => {
      sockets.add(socket);
      socket.on("error", () => {}); // the client gave up
      onConnection(socket);
    });
    await new Promise<void>((resolve) => server.listen(path, resolve));
    onTestFinished(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    return server;
  }
}

export function endOf(child: ChildProcess): Promise<Ended> {
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on("data", (chunk) => stdout.push(chunk));
  child.stderr?.on("data", (chunk) => stderr.push(chunk));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({ code, signal, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr) }),
    );
  });
}

/** With text instead of bytes, to compare it. */
export function asText({ code, signal, stdout, stderr }: Ended) {
  return { code, signal, stdout: stdout.toString(), stderr: stderr.toString() };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
