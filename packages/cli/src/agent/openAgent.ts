import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { HookSystem, Recorder, TrustPolicy } from "@hookline/engine";
import type { LoadedSettings, UnreadPolicy } from "@hookline/engine/program";
import { placeOf } from "@hookline/journal";
import { markSession } from "../decisions/sessionMarks.ts";
import { ABILITIES } from "../declarations/abilities/abilities.ts";
import { DECLARATION_KINDS } from "../declarations/index.ts";
import { MCP_SERVERS } from "../declarations/servers/mcpServers.ts";
import { ProgramError } from "../errors.ts";
import { openModel } from "../models/openModel.ts";
import type { OpenModel } from "../models/providers.ts";
import { RETRY_POLICY } from "../models/retries.ts";
import { openProject, type Project } from "../project/openProject.ts";
import type { Io } from "../terminal/io.ts";
import { BUILT_IN_TOOLS } from "../tools/index.ts";
import { connectServers } from "../tools/mcp/connectServers.ts";
import type { Tool } from "../tools/tool.ts";
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
  const { observe, recorder, trust, unreadSettings } = options;
  const cwd = folderAt(resolve(io.cwd, options.cwd));
  const model = await openModel(options.model, modelOptions(io, options));
  const hookLog = new HookLog(observe);
  const project = await openProject(
    { ...io, cwd },
    {
      trust,
      unreadSettings,
      starts: DECLARATION_KINDS,
      watch: options.watches,
      recorders: [...(recorder ? [recorder] : []), hookLog],
      onNotice: (text) => observe({ type: "notice", text }),
    },
  );
  const unmark = markSession(io.homeDir);
  const close = (signal?: AbortSignal) => project.close(signal).finally(unmark);
  try {
    const tools = await startTools(io, project, options);
    const setup = setupOf(io, { project, model, tools, options });
    return { setup, system: project.system, loaded: project.loaded, hookLog, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The tools of this program, of the project's servers, and its abilities. They end with the project. */
async function startTools(io: Io, project: Project, { approver, observe }: AgentOptions): Promise<readonly Tool[]> {
  const servers = await connect(io, project, observe);
  project.onClose(() => servers.close());
  const tasks = await openTasks(io, { ...project, approver, observe });
  project.onClose(() => tasks.close());
  return [...BUILT_IN_TOOLS, ...servers.tools, ...tasks.tools];
}

interface Started {
  readonly project: Project;
  readonly model: OpenModel;
  readonly tools: readonly Tool[];
  readonly options: AgentOptions;
}

function setupOf(io: Io, { project, model, tools, options }: Started): SessionSetup {
  const { config, loaded, journal } = project;
  const { approver, approvalMode, observe, streams, compressAtTokens } = options;
  const workspace = config.getWorkingDir();
  return {
    config,
    projectRoot: loaded.projectRoot,
    statePlace: placeOf(io, loaded),
    ...model,
    retryPolicy: retryPolicy(io),
    systemInstruction: systemPrompt({
      workspace,
      platform: process.platform,
      today: new Date().toDateString(),
      isInteractive: approver !== undefined,
    }),
    tools,
    toolContext: { workspace: new Workspace(workspace), env: { ...io.env } },
    approver,
    approvalMode,
    observe,
    ...(journal ? { journal } : {}),
    streams,
    compressAtTokens,
  };
}

/** Connects the trusted MCP servers. Reports one that fails, and leaves it out. */
function connect(io: Io, { system, loaded }: Project, observe: Observer) {
  return connectServers(system.getDeclared(MCP_SERVERS), {
    projectRoot: loaded.projectRoot,
    env: io.env,
    passEnv: system.getEngineOptions().passEnv,
    signal: io.signal,
    onNotice: (text) => observe({ type: "notice", text }),
    refusal: (server) => system.getRefusal(server),
  });
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
