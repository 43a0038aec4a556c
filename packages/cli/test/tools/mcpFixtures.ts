import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SettingsConfig } from "@hookline/engine";
import { onTestFinished } from "vitest";
import { MCP_SERVERS } from "../../src/declarations/servers/mcpServers.ts";
import { type ConnectOptions, connectServers } from "../../src/tools/mcp/connectServers.ts";
import type { Tool, ToolArguments } from "../../src/tools/tool.ts";
import { Workspace } from "../../src/tools/workspace.ts";
import type { Machine } from "../support/machine.ts";

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/mcp/${name}`, import.meta.url));

/** A real MCP server: `node <this>`. Its tools: echo, add, fails, slow, crash, big, env, child, picture, pick. */
export const MCP_SERVER = fixture("stdio.mjs");

/** Settings of one such server; further words tell it what to do wrong. */
export function stdioServer(...args: readonly string[]) {
  return { command: process.execPath, args: [MCP_SERVER, ...args] };
}

/** The same server over HTTP, until the test ends. */
export async function startHttpServer(token = "", port = 0): Promise<{ url: string; process: ChildProcess }> {
  const child = spawn(process.execPath, [fixture("http.mjs"), token, String(port)], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  return { url: String(line).trim(), process: child };
}

/** The servers of a machine's settings, connected as an agent does it; closed when the test ends. */
export async function connectMachine(machine: Machine, options: Partial<ConnectOptions> = {}) {
  const { home: homeDir, project: workingDir, systemFile } = machine;
  const system = new SettingsConfig({
    ...{ workingDir, homeDir, systemFile },
    trust: "all",
    declares: [MCP_SERVERS],
    starts: [MCP_SERVERS],
  }).getHookSystem();
  if (!system) throw new Error("hooks are on");
  await system.initialize();
  onTestFinished(() => system.dispose());
  const notices: string[] = [];
  const connected = await connectServers(system.getDeclared(MCP_SERVERS), {
    projectRoot: workingDir,
    env: process.env,
    passEnv: system.getEngineOptions().passEnv,
    onNotice: (text) => notices.push(text),
    refusal: (server) => system.getRefusal(server),
    ...options,
  });
  onTestFinished(() => connected.close());
  const context = { workspace: new Workspace(join(machine.project)) };
  const named = (name: string): Tool => {
    const tool = connected.tools.find((one) => one.name === name);
    if (!tool) throw new Error(`There is no ${name} among ${connected.tools.map((one) => one.name).join(", ")}`);
    return tool;
  };
  const call = (name: string, input: ToolArguments = {}, signal?: AbortSignal) =>
    named(name).execute(input, { ...context, ...(signal ? { signal } : {}) });
  return { ...connected, system, notices, named, call, context };
}
