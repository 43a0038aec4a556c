import { setTimeout } from "node:timers/promises";
import {
  LogTail,
  type ProcessExit,
  type ProcessGroups,
  type StartedProcess,
  type StartRequest,
  startProcess,
} from "@hookline/engine/process";
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";

/** How long a server may take to exit after the end of its input. */
const LEAVE_MS = 1_000;
const SETTLE_MS = 200;

/**
 * The SDK's messages over a process that we start. The SDK's own transport starts servers in this program's process group: Ctrl-C
 * at the terminal would end them during a session, and their children would survive.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #request: StartRequest;
  readonly #groups: ProcessGroups;
  readonly #buffer = new ReadBuffer();
  readonly #log = new LogTail();
  #process: StartedProcess | undefined;
  #exit: ProcessExit | undefined;
  #fault: string | undefined;

  constructor(request: StartRequest, groups: ProcessGroups) {
    this.#request = request;
    this.#groups = groups;
  }

  async start(): Promise<void> {
    const started = await startProcess(this.#request, this.#groups);
    this.#process = started;
    started.stdout.on("data", (chunk: Buffer) => this.#read(chunk));
    started.stderr.on("data", (chunk: Buffer) => this.#log.addChunk(chunk));
    void started.ended.then((exit) => {
      this.#exit = exit;
      this.onclose?.();
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#exit ? undefined : this.#process?.stdin;
    return new Promise((resolve, reject) => {
      if (!stdin?.writable) reject(new Error("the server is not running"));
      else stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    await this.#process?.end(LEAVE_MS);
    this.#buffer.clear();
  }

  /** Waits for the exit, which follows a broken pipe and explains more. */
  async settle(): Promise<void> {
    await Promise.race([this.#process?.ended, setTimeout(SETTLE_MS)]);
  }

  /** How the process ended, if it did. */
  get ending(): string | undefined {
    if (this.#fault) return this.#fault;
    if (!this.#exit) return undefined;
    return this.#exit.kind === "exited"
      ? `it exited with code ${this.#exit.code}`
      : `it was killed by ${this.#exit.signal}`;
  }

  /** The end of its standard error and of its printed lines that are not messages. */
  get lastWords(): string {
    return this.#log.since(0).trim();
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
    } catch {
      this.#fault = "it sent a message that is too long";
      this.#process?.kill();
      return;
    }
    for (let message = this.#next(); message !== null; message = this.#next()) {
      if (message !== "skipped") this.onmessage?.(message);
    }
  }

  /** Treats a line that is not a message as log output. */
  #next(): JSONRPCMessage | "skipped" | null {
    try {
      return this.#buffer.readMessage();
    } catch (error) {
      this.#log.add("(it printed a line that is not a message)\n");
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      return "skipped";
    }
  }
}
