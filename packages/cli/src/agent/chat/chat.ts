import type { SessionEndReason } from "@hookline/engine/program";
import { colours } from "../../terminal/colour.ts";
import type { Io, Terminal } from "../../terminal/io.ts";
import { visible } from "../../terminal/visible.ts";
import type { AgentFlags } from "../agentFlags.ts";
import { lastSeconds } from "../lastSeconds.ts";
import type { OpenAgent } from "../openAgent.ts";
import { Session } from "../session.ts";
import { startNotices } from "../startNotices.ts";
import { CANCELLED } from "../turnResult.ts";
import { banner, farewell } from "./banner.ts";
import { type ChatContext, openChatContext } from "./chatContext.ts";
import { hooksView } from "./hooksView.ts";
import { PromptHistory } from "./promptHistory.ts";
import { readPrompt } from "./promptReader.ts";
import { type Conversation, meaningOf, SLASH_WORDS } from "./slashCommands.ts";
import { turnEndView } from "./turnEndView.ts";

/** Runs a conversation at a terminal, until the user leaves or a signal ends the program. */
export async function chat(io: Io, terminal: Terminal, flags: AgentFlags): Promise<void> {
  const context = await openChatContext(io, terminal, flags);
  const { agent, screen } = context;
  const ending = lastSeconds(io.signal);
  try {
    screen.gap();
    screen.lines(banner(io, agent, flags));
    for (const text of await startNotices(agent, io)) context.view.observe({ type: "notice", text });
    const session = await context.work("starting the session", (signal) =>
      Session.start(agent.setup, signal, flags.resume),
    );
    await new Chat(io, context, session).talk(ending.signal);
  } finally {
    await context.wait("waiting for hooks in the background", agent.close(ending.signal));
    ending.dispose();
  }
}

class Chat implements Conversation {
  readonly #io: Io;
  readonly #context: ChatContext;
  readonly #agent: OpenAgent;
  readonly #history: PromptHistory;
  #session: Session;
  /** The index of this session's first report. */
  #firstReport = 0;
  #isLeaving = false;

  constructor(io: Io, context: ChatContext, session: Session) {
    this.#io = io;
    this.#context = context;
    this.#agent = context.agent;
    this.#session = session;
    this.#history = new PromptHistory(io.homeDir);
  }

  /** Ends the current session once, however the conversation ends. */
  async talk(ending: AbortSignal): Promise<void> {
    let reason: SessionEndReason = "error";
    try {
      reason = await this.#untilTheEnd();
    } finally {
      await this.#context.wait("ending the session", this.#session.end(reason, ending));
      this.say(farewell(this.#io, this.#session.id));
    }
  }

  say(lines: readonly string[]): void {
    this.#context.screen.lines(lines);
  }

  leave(): void {
    this.#isLeaving = true;
  }

  showHooks(): void {
    const { system, hookLog } = this.#agent;
    this.say(hooksView(system.getRegistry().getAllHooks(), hookLog.reports.slice(this.#firstReport), this.#io));
  }

  async clear(): Promise<void> {
    const { setup, hookLog } = this.#agent;
    await this.#context.work("clearing the session", async (signal) => {
      await this.#session.end("clear", signal);
      this.#firstReport = hookLog.reports.length;
      this.#context.grants.clear();
      this.#session = await this.#session.clear(setup, signal);
    });
    this.say([colours(this.#io).dim(`A new session: ${this.#session.id}`)]);
  }

  async compress(): Promise<void> {
    const { yellow } = colours(this.#io);
    await this.#attempt(async () => {
      const done = await this.#context.work("asking the model for a summary", (signal) =>
        this.#session.compress("manual", signal),
      );
      if (done.kind === "nothingToCompress") this.say([yellow("  There is nothing to compress yet.")]);
      if (done.kind === "notCompressed")
        this.say([yellow(`  The conversation was not compressed: ${visible(done.why)}.`)]);
    });
  }

  async #untilTheEnd(): Promise<SessionEndReason> {
    const { terminal, keyboard, screen } = this.#context;
    const { signal } = this.#io;
    while (!this.#isLeaving && !signal.aborted) {
      screen.gap();
      const typed = await readPrompt({
        terminal,
        keyboard,
        screen,
        signal,
        history: this.#history.prompts,
        words: SLASH_WORDS,
        style: colours(this.#io).cyan,
      });
      if (typed.kind === "ended") return "other";
      if (typed.kind === "left") break;
      if (typed.text.trim() !== "") await this.#answer(typed.text);
    }
    return signal.aborted ? "other" : "exit";
  }

  async #answer(typed: string): Promise<void> {
    this.#history.add(typed);
    const meaning = meaningOf(typed);
    switch (meaning.kind) {
      case "command":
        return meaning.run(this);
      case "unknown":
        return this.say([colours(this.#io).yellow(meaning.what)]);
      case "prompt":
        return this.#turn(meaning.text);
    }
  }

  async #turn(prompt: string): Promise<void> {
    const { end } = await this.#context.work("asking the model", (signal) => this.#session.prompt(prompt, signal));
    this.say(turnEndView(end, this.#io));
  }

  /** Shows a failure outside of a turn like that of a turn; the conversation continues. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const wasCancelled = error instanceof Error && error.name === "AbortError";
      this.say(turnEndView(wasCancelled ? CANCELLED : { kind: "failed", error }, this.#io));
    }
  }
}
