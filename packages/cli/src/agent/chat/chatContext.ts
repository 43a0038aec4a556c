import { unreadPolicy } from "../../project/unreadPolicy.ts";
import { Interrupted } from "../../terminal/exitCode.ts";
import type { Io, Terminal } from "../../terminal/io.ts";
import { trustPolicy } from "../../trust/trustPolicy.ts";
import type { AgentFlags } from "../agentFlags.ts";
import { type OpenAgent, openAgent } from "../openAgent.ts";
import { TerminalApprover } from "../terminalApprover.ts";
import { Activity } from "./activity.ts";
import { ChatView } from "./chatView.ts";
import { Grants } from "./grants.ts";
import { interruptKey, Keyboard } from "./keyboard.ts";
import { showProgress } from "./progress.ts";
import { Screen } from "./screen.ts";

/** The agent and the parts of the terminal that a conversation uses. */
export interface ChatContext {
  readonly terminal: Terminal;
  readonly screen: Screen;
  readonly keyboard: Keyboard;
  readonly view: ChatView;
  readonly grants: Grants;
  readonly agent: OpenAgent;
  /** Does work that Ctrl-C cancels, and shows the current activity. */
  work<Result>(what: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  /** The same for work that only the end of the program can cut short. */
  wait<Result>(what: string, work: Promise<Result>): Promise<Result>;
}

export async function openChatContext(io: Io, terminal: Terminal, flags: AgentFlags): Promise<ChatContext> {
  const { output } = terminal;
  const canErase = io.env.TERM !== "dumb";
  const screen = new Screen({ write: io.stdout, columns: () => output.columns || 80, canErase });
  const keyboard = new Keyboard(screen);
  const view = new ChatView(io, screen);
  const activity = new Activity();
  const grants = new Grants();
  let isOpen = false;

  const wait: ChatContext["wait"] = async (what, work) => {
    const letGo = keyboard.give(interruptKey(terminal));
    const stop = showProgress(io, screen, activity, what);
    try {
      return await work;
    } finally {
      stop();
      letGo();
      activity.clear();
    }
  };
  const work: ChatContext["work"] = async (what, begin) => {
    const controller = new AbortController();
    const cancel = () => controller.abort();
    if (io.signal.aborted) cancel();
    io.signal.addEventListener("abort", cancel, { once: true });
    const undo = terminal.cancelOnInterrupt(controller);
    try {
      return await wait(what, begin(controller.signal));
    } finally {
      undo();
      io.signal.removeEventListener("abort", cancel);
    }
  };
  /** A changed hook can need trust at any time. Ctrl-C then means no; before the session, it ends the program. */
  const confirm: Io["confirm"] = async (question) => {
    try {
      return await io.confirm(question);
    } catch (error) {
      if (!isOpen || !(error instanceof Interrupted)) throw error;
      return false;
    }
  };
  const trustIo: Io = { ...io, confirm };
  const unread = unreadPolicy(trustIo, { ...flags, json: false });
  const ask = trustPolicy(trustIo, { trustProject: flags.trustProject, json: false });

  terminal.input.on("error", () => {}); // a closed terminal also sends SIGHUP
  const agent = await openAgent(io, {
    ...flags,
    approvalMode: () => flags.approvalMode,
    approver: new TerminalApprover({ io, terminal, keyboard, screen, grants }),
    trust: typeof ask === "function" ? (request) => keyboard.ask(async () => ask(request)) : ask,
    unreadSettings: typeof unread === "function" ? (problems) => keyboard.ask(async () => unread(problems)) : unread,
    observe: (event) => {
      activity.observe(event);
      view.observe(event);
    },
    recorder: activity,
    streams: true,
    watches: true,
  });
  isOpen = true;
  return { terminal, screen, keyboard, view, grants, agent, work, wait };
}
