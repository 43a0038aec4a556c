import { HooklineError } from "@hookline/engine";
import { errorText } from "@hookline/engine/program";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  type CallToolResult,
  CallToolResultSchema,
  type Tool as ListedTool,
  type ListToolsResult,
  ListToolsResultSchema,
} from "@modelcontextprotocol/sdk/types.js";
import type { ServerDeclaration } from "../../declarations/servers/serverDeclaration.ts";
import { ProgramError } from "../../errors.ts";
import { programVersion } from "../../programVersion.ts";
import type { ToolArguments } from "../tool.ts";
import { ToolFault } from "../toolFault.ts";
import { CallLimits } from "./callLimits.ts";
import { closeTransport, contextOf, openTransport, type ServerTransport, type Surroundings } from "./openTransport.ts";
import { explainFailure, isGone } from "./serverFailure.ts";

const START_MS = 30_000;
const CALL_MS = 600_000;
/** Bounds a server that lists tools endlessly, which would keep the session from starting. */
const MOST_TOOLS = 500;

interface Running {
  readonly client: Client;
  readonly transport: ServerTransport;
}

/** A server during a session. If it ended, the next call starts it again. */
export class ServerConnection {
  readonly server: ServerDeclaration;
  readonly context: ReturnType<typeof contextOf>;
  readonly #around: Surroundings;
  #running: Running | undefined;
  #starting: Promise<Running> | undefined;
  #hasRun = false;
  #closed = false;

  constructor(server: ServerDeclaration, around: Surroundings) {
    this.server = server;
    this.#around = around;
    this.context = contextOf(server, around.projectRoot);
  }

  /** Starts the server and lists its tools. Throws MCP_SERVER_FAILED with the server's last output. */
  async open(signal?: AbortSignal): Promise<readonly ListedTool[]> {
    const limits = new CallLimits(this.#startMs, signal);
    try {
      const running = await this.#start(signal);
      return await this.#list(running, limits);
    } finally {
      limits.release();
    }
  }

  /** Calls a tool. Throws an error for the model if there is no answer. */
  async call(name: string, input: ToolArguments, signal?: AbortSignal): Promise<CallToolResult> {
    signal?.throwIfAborted();
    const running = this.#running ?? (await this.#restart(signal));
    const request = { method: "tools/call" as const, params: { name, arguments: { ...input } } };
    const limits = new CallLimits(this.server.timeoutMs ?? CALL_MS, signal);
    try {
      return await running.client.request(request, CallToolResultSchema, limits);
    } catch (error) {
      signal?.throwIfAborted();
      const why = await explainFailure(error, running.transport, limits.timeout);
      if (isGone(error, running.transport)) await this.#forget(running);
      throw new ToolFault(`The MCP server "${this.server.name}" did not answer the call: ${why}`);
    } finally {
      limits.release();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#starting?.catch(() => {});
    if (this.#running) await this.#forget(this.#running);
  }

  async #restart(signal?: AbortSignal): Promise<Running> {
    try {
      return await this.#start(signal);
    } catch (error) {
      signal?.throwIfAborted();
      const why = error instanceof HooklineError ? error.what : String(error);
      throw new ToolFault(`The MCP server "${this.server.name}" is not running: ${why}`);
    }
  }

  /** Restarts an ended server once for all concurrent calls. */
  #start(signal?: AbortSignal): Promise<Running> {
    this.#starting ??= this.#startNow(signal).finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  async #startNow(signal?: AbortSignal): Promise<Running> {
    const { server } = this;
    if (this.#closed) throw this.#failed("it ended with the session");
    const refused = await this.#around.refusal?.(server);
    if (refused !== undefined) throw this.#failed(`it ${refused}`);
    const transport = this.#openTransport();
    const client = new Client(clientInfo());
    const running = { client, transport };
    const limits = new CallLimits(this.#startMs, signal);
    try {
      await client.connect(transport, limits);
    } catch (error) {
      throw await this.#giveUp(running, error);
    } finally {
      limits.release();
    }
    client.onclose = () => {
      if (this.#running === running) this.#running = undefined;
    };
    this.#running = running;
    if (this.#hasRun) this.#around.onNotice(`MCP server "${server.name}" had ended and was restarted.`);
    this.#hasRun = true;
    return running;
  }

  get #startMs(): number {
    return this.server.timeoutMs ?? START_MS;
  }

  #openTransport(): ServerTransport {
    try {
      return openTransport(this.server, this.#around);
    } catch (error) {
      throw this.#failed(errorText(error));
    }
  }

  async #list(running: Running, limits: CallLimits): Promise<readonly ListedTool[]> {
    const tools: ListedTool[] = [];
    let next: { readonly cursor?: string } | undefined = {};
    try {
      for (let pages = 0; next !== undefined && tools.length < MOST_TOOLS && pages < MOST_TOOLS; pages++) {
        const within = { signal: limits.signal, timeout: Math.max(1, limits.remainingMs) };
        const request = { method: "tools/list" as const, params: next };
        const page: ListToolsResult = await running.client.request(request, ListToolsResultSchema, within);
        tools.push(...page.tools);
        next = page.nextCursor === undefined ? undefined : { cursor: page.nextCursor };
      }
    } catch (error) {
      throw await this.#giveUp(running, error);
    }
    if (next !== undefined || tools.length > MOST_TOOLS) {
      this.#around.onNotice(`MCP server "${this.server.name}": only its first ${MOST_TOOLS} tools are offered.`);
    }
    return tools.slice(0, MOST_TOOLS);
  }

  async #giveUp(running: Running, error: unknown): Promise<HooklineError> {
    const why = await explainFailure(error, running.transport, this.#startMs);
    await this.#forget(running);
    return this.#failed(why, error);
  }

  async #forget(running: Running): Promise<void> {
    if (this.#running === running) this.#running = undefined;
    await closeTransport(running.transport);
  }

  #failed(what: string, cause?: unknown): HooklineError {
    return new ProgramError({ code: "MCP_SERVER_FAILED", where: this.server.place, what, cause });
  }
}

/** What a server is told about us. */
export function clientInfo() {
  return { name: "hookline", version: programVersion() };
}
