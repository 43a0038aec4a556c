import { randomUUID } from "node:crypto";
import { fireSessionEndHook, fireSessionStartHook, fireSessionStopHook } from "@hookline/engine";
import type { CompressTrigger, SessionEndReason, SessionStartSource } from "@hookline/engine/program";
import type { StatePlace } from "@hookline/journal";
import type { SessionConfig } from "../project/sessionConfig.ts";
import type { Agent, AgentState } from "./agentState.ts";
import { type Compression, compress } from "./compression.ts";
import { History } from "./history.ts";
import { Notes } from "./notes.ts";
import { readTranscript } from "./readTranscript.ts";
import { SessionSummary } from "./sessionSummary.ts";
import { SessionTotals } from "./sessionTotals.ts";
import { Transcript } from "./transcript.ts";
import { takeTurn } from "./turn.ts";
import type { TurnResult } from "./turnResult.ts";

/** The parts that a session needs and that outlive it. */
export interface SessionSetup extends Agent {
  readonly config: SessionConfig;
  /** The location of transcripts. */
  readonly statePlace: StatePlace;
}

interface Beginning {
  readonly id: string;
  readonly source: SessionStartSource;
  readonly contents: AgentState["history"]["contents"];
}

/** A session with its conversation and transcript. Fires the events of its beginning and end exactly once each. */
export class Session {
  readonly id: string;
  readonly #state: AgentState;
  readonly #transcript: Transcript;
  readonly #summary: SessionSummary;
  #context: string | undefined;
  /** Includes turns before a resume, so that numbers of turns are unique. */
  #turns: number;
  #ended: Promise<void> | undefined;

  private constructor(setup: SessionSetup, { id, source, contents }: Beginning) {
    const { config, projectRoot, statePlace, model, observe } = setup;
    this.id = id;
    this.#summary = new SessionSummary(config, projectRoot, (text) => observe({ type: "notice", text }));
    this.#transcript = Transcript.open(statePlace, id, (text) => observe({ type: "notice", text }));
    config.begin(id, this.#transcript.path);
    setup.journal?.inSession(id);
    const history = new History(this.#transcript, contents);
    this.#turns = contents.filter(({ role }) => role === "user").length;
    this.#state = { ...setup, history, notes: new Notes(), totals: new SessionTotals() };
    const cwd = config.getWorkingDir();
    this.#transcript.append({ type: "session", id, source, at: new Date().toISOString(), cwd, model });
  }

  static async start(setup: SessionSetup, signal: AbortSignal, resume?: string): Promise<Session> {
    if (resume === undefined)
      return Session.#begin(setup, { id: randomUUID(), source: "startup", contents: [] }, signal);
    const { contents, unreadable } = readTranscript(setup.statePlace, resume);
    const session = await Session.#begin(setup, { id: resume, source: "resume", contents }, signal);
    if (unreadable > 0) {
      setup.observe({
        type: "notice",
        text: `${unreadable} lines of the transcript are unreadable and were skipped.`,
      });
    }
    return session;
  }

  get totals(): SessionTotals {
    return this.#state.totals;
  }

  get tokens(): number {
    return this.#state.history.tokens;
  }

  async prompt(prompt: string, signal: AbortSignal): Promise<TurnResult> {
    await this.#summary.begun(signal);
    const { journal, model } = this.#state;
    this.#turns += 1;
    journal?.inTurn(this.#turns);
    const begun = journal?.begin("turn", model);
    const result = await takeTurn(this.#state, { prompt, takeContext: () => this.#takeContext() }, signal);
    begun?.(result.end.kind);
    journal?.inTurn(0);
    return result;
  }

  compress(trigger: CompressTrigger, signal: AbortSignal): Promise<Compression> {
    return compress(this.#state, trigger, signal);
  }

  /** Ends this session and begins an empty one with the same setup. */
  async clear(setup: SessionSetup, signal: AbortSignal): Promise<Session> {
    await this.end("clear", signal);
    return Session.#begin(setup, { id: randomUUID(), source: "clear", contents: [] }, signal);
  }

  /** Ends the session once; further calls have no effect. */
  end(reason: SessionEndReason, signal?: AbortSignal): Promise<void> {
    this.#ended ??= this.#end(reason, signal);
    return this.#ended;
  }

  static async #begin(setup: SessionSetup, beginning: Beginning, signal: AbortSignal): Promise<Session> {
    const session = new Session(setup, beginning);
    const started = await fireSessionStartHook(setup.config, beginning.source, { signal });
    session.#state.notes.keep(started);
    session.#context = started.additionalContext;
    if (started.error) setup.observe({ type: "notice", text: `SessionStart: ${started.error}` });
    return session;
  }

  async #end(reason: SessionEndReason, signal: AbortSignal | undefined): Promise<void> {
    const { config, totals } = this.#state;
    const options = signal ? { signal } : {};
    await fireSessionStopHook(config, await this.#summary.read(totals, signal), options);
    await fireSessionEndHook(config, reason, options);
    this.#transcript.append({ type: "end", at: new Date().toISOString(), reason });
    this.#transcript.close();
  }

  #takeContext(): string | undefined {
    const context = this.#context;
    this.#context = undefined;
    return context;
  }
}
