import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { z } from "zod";
import type { AgentProject } from "./agentProject.ts";
import { type Conversation, contents, expectAnswered, inWords } from "./conversation.ts";
import { BINARY, eventually, type Machine } from "./machine.ts";
import type { Recorded } from "./modelAnswers.ts";

/** Long enough for a machine that has much else to do. */
const PATIENCE_MS = 60_000;

interface Setting {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** The built program in a terminal of its own: a tmux server that nobody else uses. */
export class TestTerminal {
  readonly #name = `hookline-${randomUUID()}`;

  constructor(machine: Machine, args: string, { columns = 120, rows = 50, env = {} }: Setting = {}) {
    const variables = Object.entries({ HOME: machine.home, ...env }).map(([name, value]) => `${name}='${value}'`);
    const program = `'${process.execPath}' '${BINARY}' ${args}`;
    const command = `cd '${machine.project}' && ${variables.join(" ")} ${program}; echo "exit code $?"; sleep 600`;
    this.#tmux("new-session", "-d", "-x", String(columns), "-y", String(rows), command);
    onTestFinished(() => this.close());
  }

  /** Everything that was shown, with lines that were wrapped in one piece. */
  text(): string {
    return this.#tmux("capture-pane", "-p", "-J", "-S", "-");
  }

  /** Named keys: Enter, C-c, Up. */
  keys(...keys: string[]): void {
    this.#tmux("send-keys", ...keys);
  }

  type(text: string): void {
    this.#tmux("send-keys", "-l", text);
  }

  /** As a terminal does it for programs that asked to be told. */
  paste(text: string): void {
    this.#tmux("set-buffer", text);
    this.#tmux("paste-buffer", "-p");
  }

  async shows(text: string | RegExp): Promise<void> {
    const isThere = () => (typeof text === "string" ? this.text().includes(text) : text.test(this.text()));
    await eventually(isThere, PATIENCE_MS).catch(() => {
      throw new Error(`The terminal does not show ${text}, but:\n${this.text()}`);
    });
  }

  /** As if its window were closed. */
  close(): void {
    try {
      this.#tmux("kill-server");
    } catch {
      // it is closed already
    }
  }

  #tmux(...words: string[]): string {
    return execFileSync("tmux", ["-L", this.#name, "-f", "/dev/null", ...words], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  }
}

interface ChatSetting extends Setting {
  readonly answers?: readonly Recorded[];
  /** Instead of the recorded answers. */
  readonly model?: string;
  readonly args?: string;
}

const message = z.looseObject({ content: contents.element });
const request = z.looseObject({ request: z.looseObject({ contents }) });

/** `hookline chat` in a terminal. */
export class TestChat extends TestTerminal {
  readonly #project: AgentProject;

  constructor(project: AgentProject, { answers = [], model, args = "--trust-project", ...setting }: ChatSetting = {}) {
    const { machine } = project;
    machine.write({ "chat-answers.jsonl": answers.map((line) => `${JSON.stringify(line)}\n`).join("") });
    const at = (name: string) => join(machine.dir, name);
    const used = model ?? `replay:${at("chat-answers.jsonl")}`;
    super(machine, `chat --model ${used} --requests ${at("chat-requests.jsonl")} ${args}`, setting);
    this.#project = project;
  }

  /** Waits until a prompt can be typed, and types it. */
  async says(prompt: string): Promise<void> {
    await this.isReady();
    this.type(prompt);
    await this.shows(`❯ ${prompt}`);
    this.keys("Enter");
  }

  /** The last line is an empty prompt. */
  isReady(): Promise<void> {
    return this.shows(/❯\s*$/);
  }

  /** What the model got with the nth request, from 1, in words. */
  modelSaw(nth: number): string[] {
    return inWords(this.#project.lines("chat-requests.jsonl", request)[nth - 1]?.request.contents ?? []);
  }

  /** The conversations of all sessions of the project, each of them complete. */
  get transcripts(): string[][] {
    const { machine } = this.#project;
    const folder = `${machine.state}/sessions`;
    const files = readdirSync(join(machine.dir, folder)).filter((name) => name.endsWith(".jsonl"));
    return files.map((name) => inWords(this.#conversation(`${folder}/${name}`)));
  }

  #conversation(file: string): Conversation {
    const lines = this.#project.lines(file, z.looseObject({ type: z.string() }));
    expect(lines[0]).toMatchObject({ type: "session" });
    const said = lines.filter(({ type }) => type === "message").map((line) => message.parse(line).content);
    expectAnswered(said);
    return said;
  }
}
