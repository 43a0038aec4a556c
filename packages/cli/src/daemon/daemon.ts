import { renameSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { dirname, join } from "node:path";
import { withoutTerminal } from "../decisions/withoutTerminal.ts";
import { packageFile } from "../packageFile.ts";
import { askerSession } from "./askerSession.ts";
import { Broker, type Question } from "./broker.ts";
import { ClosedKeeper } from "./closedKeeper.ts";
import { type Answers, type Asker, serveConnection } from "./connection.ts";
import { answerControl, type Controlled, type DaemonStatus } from "./control.ts";
import { type DaemonLock, takeDaemonLock } from "./daemonLock.ts";
import { askAboutChangedGuards } from "./guardPolicy.ts";
import { HookCalls } from "./hookCalls.ts";
import { HttpDoor } from "./httpDoor.ts";
import { journalMissed } from "./journalMissed.ts";
import { makeRunFolder, type RunFolder, removeCallFolders, runFolder } from "./runFolder.ts";
import { SeenCalls } from "./seenCalls.ts";
import type { ServedProject } from "./servedProject.ts";
import { ServedProjects } from "./servedProjects.ts";
import { SessionPins } from "./sessionPins.ts";
import { placeSocket, removeSocket } from "./socketPlace.ts";
import { SocketWatch } from "./socketWatch.ts";
import { startError } from "./startError.ts";

export interface DaemonOptions {
  readonly homeDir: string;
  readonly systemFile?: string | undefined;
  readonly version: string;
  readonly idleMs?: number;
  /** Whether the program on the disk is no longer the one that runs. */
  readonly isOutdated: () => boolean;
  readonly onNotice: (text: string) => void;
}

const IDLE_MS = 30 * 60_000;
const DAY_MS = 24 * 60 * 60_000;

/** One for each user: it answers the hooks of all agents with warm hook systems, and holds the questions to the person. */
export class Daemon implements Controlled {
  readonly #options: DaemonOptions;
  readonly #run: RunFolder;
  readonly #lock: DaemonLock;
  readonly #server: Server;
  readonly #broker = new Broker();
  readonly #seen: SeenCalls;
  readonly #projects: ServedProjects;
  readonly #calls: HookCalls;
  readonly #startedAt = Date.now();
  readonly #ended: Promise<void>;
  #markEnded: () => void = () => {};
  #running = 0;
  #idle: NodeJS.Timeout | undefined;
  #stopListening = () => {};
  #isStopping = false;

  /** Undefined if another daemon of this user runs. */
  static async start(options: DaemonOptions): Promise<Daemon | undefined> {
    try {
      const run = makeRunFolder(options.homeDir);
      const lock = await takeDaemonLock(run.lock);
      if (!lock) return undefined;
      removeCallFolders(run, { olderThanMs: DAY_MS });
      const daemon = new Daemon(options, run, lock);
      await daemon.#listen();
      return daemon;
    } catch (error) {
      throw startError(runFolder(options.homeDir), error);
    }
  }

  private constructor(options: DaemonOptions, run: RunFolder, lock: DaemonLock) {
    const { homeDir, systemFile, onNotice } = options;
    this.#options = options;
    this.#run = run;
    this.#lock = lock;
    this.#ended = new Promise((resolve) => {
      this.#markEnded = resolve;
    });
    this.#seen = new SeenCalls(run.seen);
    const closed = new ClosedKeeper(run.closed, onNotice);
    const trust = (root: string) => askAboutChangedGuards(root, this.#broker);
    // Agents must change neither the client's files nor the program that checks them.
    const protects = [run.folder, packageFile("bin"), packageFile("bundle")];
    const shared = { homeDir, systemFile, protects, onNotice, trust };
    const onOpen = (served: ServedProject) => {
      closed.update(served);
      journalMissed(run, served);
    };
    this.#projects = new ServedProjects(shared, { onOpen, onClose: (served) => closed.forget(served) });
    const pins = new SessionPins(run.sessions, onNotice);
    this.#calls = new HookCalls({ projects: this.#projects, broker: this.#broker, closed, pins, seen: this.#seen });
    const hook: Answers["hook"] = (request, client) => this.#calls.answer(request, client);
    const http = new HttpDoor(hook);
    const mayLackTerminal = () => withoutTerminal({ homeDir, systemFile });
    const sessionOf = ({ socket }: Asker, { terminal }: { readonly terminal: boolean }) =>
      askerSession(socket, { homeDir, mayLackTerminal: terminal ? mayLackTerminal : async () => true });
    this.#server = createServer((socket) => {
      this.#begin();
      socket.once("close", () => this.#end());
      serveConnection(socket, {
        hook,
        http,
        control: (line, asker) => answerControl(line, { daemon: this, asker, sessionOf }),
      });
    });
  }

  /** Settles once everything has ended. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  status(): DaemonStatus {
    const projects = this.#projects.all.map(({ root, hooks, project }) => {
      const { untrusted } = project.system.getStatus();
      return { root, hooks: hooks.length, untrusted: untrusted.length };
    });
    const { version } = this.#options;
    const facts = { pid: process.pid, version, startedAt: this.#startedAt, hosts: this.#seen.all };
    return { ...facts, projects, questions: this.#broker.open.length };
  }

  questions() {
    return this.#broker.open;
  }

  decide(id: string, decision: { readonly approved: boolean; readonly reason: string }) {
    return this.#broker.decide(id, decision);
  }

  askPerson(question: Question, given: { readonly withinMs: number; readonly signal: AbortSignal }) {
    return this.#broker.ask(question, given);
  }

  /** Takes no more calls, denies what is open, and ends once the calls in progress are answered. */
  stop(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    clearTimeout(this.#idle);
    this.#broker.close();
    this.#seen.write();
    this.#stopListening();
    // The rest ends with the last connection. Until then another daemon takes new calls.
    this.#server.close(() => void this.#finish());
    this.#lock.release();
  }

  async #finish(): Promise<void> {
    await this.#projects.close();
    this.#markEnded();
  }

  /**
   * Only the holder of the lock comes here, so a socket that is there was left behind. Under another name first: Node removes what has the
   * name when it closes, and by then that may be the socket of another daemon, in a folder that was made again.
   */
  async #listen(): Promise<void> {
    const socket = placeSocket(this.#run);
    const draft = join(dirname(socket), "new.sock");
    rmSync(draft, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen({ path: draft, backlog: 512 }, resolve);
    });
    renameSync(draft, socket);
    const watch = new SocketWatch(this.#run, socket, () => this.stop());
    this.#stopListening = () => {
      watch.close();
      if (watch.isFound) removeSocket(this.#run, socket);
    };
    if (watch.isFound) this.#waitIdle();
    else this.stop();
  }

  #begin(): void {
    this.#running++;
    clearTimeout(this.#idle);
  }

  #end(): void {
    this.#running--;
    if (this.#isStopping) return;
    // The next call starts the new version.
    if (this.#options.isOutdated()) this.stop();
    else if (this.#running === 0) this.#waitIdle();
  }

  #waitIdle(): void {
    this.#idle = setTimeout(() => this.stop(), this.#options.idleMs ?? IDLE_MS);
  }
}
