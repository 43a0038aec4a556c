import type { Approve, Recorder, TrustPolicy } from "@hookline/engine";
import { homeFolder, type UnreadPolicy } from "@hookline/engine/program";
import { DECLARATION_KINDS } from "../declarations/index.ts";
import { openProject, type ProjectIo } from "../project/openProject.ts";
import { hasTerminal } from "../terminal/hasTerminal.ts";
import { type Caller, currentUser, detectCaller } from "./caller.ts";
import { type OpenRunner, runnerOf } from "./runnerOf.ts";

export interface OpenRunnerOptions {
  /** Anywhere in the project. */
  readonly workingDir: string;
  /** Decides about project code that is not trusted yet; without it, opening rejects with TRUST_REQUIRED. */
  readonly trust?: TrustPolicy;
  /** Decides about settings files that cannot be read; without it, opening rejects with the first problem. */
  readonly unreadSettings?: UnreadPolicy;
  /** Default: as detected from the environment. */
  readonly caller?: Caller;
  /** Default: `HOOKLINE_ENV`. */
  readonly environment?: string;
  readonly approve?: Approve;
  readonly signal?: AbortSignal;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly onNotice?: (text: string) => void;
  /** Hears of everything that hooks do; default: the journal of the project. */
  readonly recorder?: Recorder;
  readonly homeDir?: string;
  /** Default: as the user's settings say, else `~/.hookline/projects`. */
  readonly stateDir?: string;
  readonly systemFile?: string;
}

/** Everything that abilities of a project need, started: its settings and hooks behind the trust gate, its registry, its tasks. */
export async function openToolRunner(options: OpenRunnerOptions): Promise<OpenRunner> {
  const { workingDir, recorder, homeDir = homeFolder(), env = process.env, onNotice = () => {} } = options;
  const { stateDir, systemFile, trust, unreadSettings, environment = env.HOOKLINE_ENV, approve, signal } = options;
  const caller = options.caller ?? detectCaller({ env, hasTerminal: hasTerminal(), user: currentUser() });
  const io: ProjectIo = {
    cwd: workingDir,
    homeDir,
    env,
    ...(stateDir === undefined ? {} : { stateDir }),
    ...(systemFile === undefined ? {} : { systemFile }),
  };
  const project = await openProject(io, {
    trust,
    unreadSettings,
    starts: DECLARATION_KINDS,
    recorders: recorder ? [recorder] : [],
    keepsJournal: recorder === undefined,
    isEmbedded: true,
    onNotice,
  });
  return runnerOf(project, io, { caller, environment, approve, signal, onNotice });
}
