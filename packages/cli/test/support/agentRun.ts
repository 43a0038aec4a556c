import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import type { AgentProject } from "./agentProject.ts";
import { type Conversation, contents, expectAnswered, inWords } from "./conversation.ts";
import type { Ended } from "./machine.ts";

const requestLine = z.object({
  method: z.string(),
  request: z.looseObject({ contents, config: z.looseObject({}) }),
});
const transcriptLine = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("session"), id: z.string(), source: z.string() }),
  z.looseObject({ type: z.literal("message"), content: contents.element }),
  z.looseObject({ type: z.literal("replaced"), contents }),
  z.looseObject({ type: z.literal("end"), reason: z.string() }),
]);
const outcome = z.looseObject({
  response: z.string(),
  stopped: z.object({ event: z.string(), hook: z.string(), reason: z.string() }).optional(),
  toolCalls: z.array(z.looseObject({ name: z.string(), status: z.string() })),
  hooks: z.array(z.looseObject({ event: z.string(), hook: z.string(), decision: z.string() })),
  session: z.string(),
});

/** What one run of the program came to, as far as it left traces. */
export class AgentRun implements Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly requests: readonly z.infer<typeof requestLine>[];
  readonly transcript: readonly z.infer<typeof transcriptLine>[];
  readonly #project: AgentProject;

  constructor(project: AgentProject, nth: number, { code, stdout, stderr }: Ended) {
    this.#project = project;
    this.code = code;
    this.stdout = stdout;
    this.stderr = stderr;
    this.requests = project.lines(`requests-${nth}.jsonl`, requestLine);
    const name = newestTranscript(project);
    this.transcript = name === undefined ? [] : project.lines(name, transcriptLine);
  }

  /** With `--output json`. */
  get json(): z.infer<typeof outcome> {
    return outcome.parse(JSON.parse(this.stdout));
  }

  /** With `--output stream-json`. */
  get events(): readonly Record<string, unknown>[] {
    const event = z.looseObject({ type: z.string() });
    return this.stdout
      .trimEnd()
      .split("\n")
      .map((line) => event.parse(JSON.parse(line)));
  }

  /** The conversation in the nth request, from 1. */
  modelSaw(nth: number): string[] {
    return inWords(this.requests[nth - 1]?.request.contents ?? []);
  }

  /** What the nth request said beside the conversation. */
  config(nth: number): Record<string, unknown> {
    return this.requests[nth - 1]?.request.config ?? {};
  }

  /** The conversation as a later session would go on with it. */
  get history(): string[] {
    return inWords(this.#history());
  }

  file(path: string): string {
    return this.#project.file(path);
  }

  has(path: string): boolean {
    return this.#project.machine.has(`project/${path}`);
  }

  seen(hook: string): readonly Record<string, unknown>[] {
    return this.#project.seen(hook);
  }

  /** Holds whatever hooks did: no call without its response, and a transcript from its beginning to its end. */
  expectConsistent(): void {
    for (const { request } of this.requests) expectAnswered(request.contents);
    expectAnswered(this.#history());
    if (this.transcript.length === 0) return;
    expect([this.transcript.at(0)?.type, this.transcript.at(-1)?.type]).toEqual(["session", "end"]);
  }

  #history(): Conversation {
    let contents: Conversation = [];
    for (const line of this.transcript) {
      if (line.type === "message") contents = contents.concat(line.content);
      if (line.type === "replaced") contents = line.contents;
    }
    return contents;
  }
}

/** An earlier run in the same project left one, too; their names are random. */
function newestTranscript({ machine }: AgentProject): string | undefined {
  const folder = `${machine.state}/sessions`;
  const names = machine.has(folder) ? readdirSync(join(machine.dir, folder)) : [];
  const writtenAt = (name: string) => statSync(join(machine.dir, folder, name), { bigint: true }).mtimeNs;
  const [newest] = names
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => ({ name, at: writtenAt(name) }))
    .toSorted((one, other) => (one.at < other.at ? 1 : -1));
  return newest && `${folder}/${newest.name}`;
}
