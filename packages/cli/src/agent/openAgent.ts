import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { HookSystem, Recorder, TrustPolicy } from "@hookline/engine";
import type { LoadedSettings, UnreadPolicy } from "@hookline/engine/program";
import { countUnmatched, Journal, placeOf, startJournal } from "@hookline/journal";
import { markSession } from "../decisions/sessionMarks.ts";
import { ABILITIES } from "../declarations/abilities/abilities.ts";
import { DECLARATION_KINDS } from "../declarations/index.ts";
import { MCP_SERVERS } from "../declarations/servers/mcpServers.ts";
import { ProgramError } from "../errors.ts";
import { openModel } from "../models/openModel.ts";
import { RETRY_POLICY } from "../models/retries.ts";
import { together } from "../project/recorders.ts";
import { SessionConfig } from "../project/sessionConfig.ts";
import { upgradeNotices } from "../state/upgradeNotices.ts";
import type { Io } from "../terminal/io.ts";
import { BUILT_IN_TOOLS } from "../tools/index.ts";
import { connectServers } from "../tools/mcp/connectServers.ts";
import { Workspace } from "../tools/workspace.ts";
import type { Observer } from "./agentEvent.ts";
import type { ApprovalMode, Approver } from "./approver.ts";
import { HookLog } from "./hookLog.ts";
import type { SessionSetup } from "./session.ts";
import { systemPrompt } from "./systemPrompt.ts";
import type { OpenTaskRoom, TaskRoomOptions } from "./taskRoom.ts";

export interface AgentOptions {
  readonly model: string;
  readonly cwd: string;
  readonly record?: string;
  readonly requests?: string;
  readonly compressAtTokens: number;
  readonly approvalMode: () => ApprovalMode;
  readonly approver: Approver | undefined;
  readonly trust: TrustPolicy | undefined;
  readonly unreadSettings: UnreadPolicy;
  readonly observe: Observer;
  /** Hears of every step of every hook, beside the log. */
  readonly recorder?: Recorder;
  readonly streams: boolean;
  /** Settings that change during the session are read again. */
  readonly watches: boolean;
}

/** Everything that sessions run on, started. */
export interface OpenAgent {
  readonly setup: SessionSetup;
  readonly system: HookSystem;
  readonly loaded: LoadedSettings;
  readonly hookLog: HookLog;
  /** Waits for what runs in the background, no longer than the signal allows, and ends everything. */
  close(signal?: AbortSignal): Promise<void>;
}

/** Starts what sessions need. Whatever is wrong is said before a session begins: a bad option, no key, no trust. */
export async function openAgent(io: Io, options: AgentOptions): Promise<OpenAgent> {
  const { observe, approvalMode, approver, streams, compressAtTokens } = options;
  const cwd = folderAt(resolve(io.cwd, options.cwd));
  const { generator, model } = await openModel(options.model, modelOptions(io, options));
  const hookLog = new HookLog(observe);
  const journal = new Journal();
  const { config, loaded } = await SessionConfig.open({
    workingDir: cwd,
    homeDir: io.homeDir,
    state: io,
    recorder: together(...(options.recorder ? [options.recorder] : []), hookLog, journal),
    watch: options.watches,
    unreadSettings: options.unreadSettings,
    starts: DECLARATION_KINDS,
    ...(io.stateDir === undefined ? {} : { protects: [io.stateDir] }),
    ...(io.systemFile === undefined ? {} : { systemFile: io.systemFile }),
    ...(options.trust === undefined ? {} : { trust: options.trust }),
  });
  const system = config.getHookSystem();
  if (!system) throw new Error("The hook system is off");
  await system.initialize();
  const unmark = markSession(io.homeDir);
  startJournal(journal, io, { system, loaded, onNotice: (text) => observe({ type: "notice", text }) });
  for (const text of upgradeNotices(io, loaded)) observe({ type: "notice", text });
  const servers = await connect(io, system, loaded, observe);
  const tasks = await openTasks(io, { config, system, loaded, approver, observe });
  const setup: SessionSetup = {
    config,
    projectRoot: loaded.projectRoot,
    statePlace: placeOf(io, loaded),
    generator,
    model,
    retryPolicy: retryPolicy(io),
    systemInstruction: systemPrompt({
      workspace: cwd,
      platform: process.platform,
      today: new Date().toDateString(),
      isInteractive: approver !== undefined,
    }),
    tools: [...BUILT_IN_TOOLS, ...servers.tools, ...tasks.tools],
    toolContext: { workspace: new Workspace(cwd), env: { ...io.env } },
    approver,
    approvalMode,
    observe,
    journal,
    streams,
    compressAtTokens,
  };
  return {
    setup,
    system,
    loaded,
    hookLog,
    close: async (signal) => {
      await system.settle(signal);
      countUnmatched(journal, system);
      await Promise.all([servers.close(), tasks.close(), system.dispose()]);
      await journal.close(io.signal);
      unmark();
    },
  };
}

/** Servers that the settings name and that may be started; what is wrong with their tools is nobody's to go on with. */
async function connect(io: Io, system: HookSystem, { projectRoot }: LoadedSettings, observe: Observer) {
  try {
    return await connectServers(system.getDeclared(MCP_SERVERS), {
      projectRoot,
      env: io.env,
      passEnv: system.getEngineOptions().passEnv,
      signal: io.signal,
      onNotice: (text) => observe({ type: "notice", text }),
      refusal: (server) => system.getRefusal(server),
    });
  } catch (error) {
    await system.dispose();
    throw error;
  }
}

/** Most projects have no abilities, and then nothing of them is loaded. */
async function openTasks(io: Io, options: TaskRoomOptions): Promise<OpenTaskRoom> {
  if (options.system.getDeclared(ABILITIES).length === 0) return { tools: [], close: async () => {} };
  const { openTaskRoom } = await import("./taskRoom.ts");
  return openTaskRoom(io, options);
}

function modelOptions({ env, cwd }: Io, { record, requests }: AgentOptions) {
  return { env, cwd, ...(record === undefined ? {} : { record }), ...(requests === undefined ? {} : { requests }) };
}

/** For tests of failing services, which cannot wait as long as a person can. */
function retryPolicy({ env }: Io) {
  const baseMs = Number(env.HOOKLINE_RETRY_BASE_MS);
  return baseMs >= 1 ? { ...RETRY_POLICY, baseMs } : RETRY_POLICY;
}

function folderAt(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new ProgramError({
      code: "FILE_UNUSABLE",
      where: { file: path },
      what: "There is no such folder to work in.",
    });
  }
  return realpathSync(path);
}
