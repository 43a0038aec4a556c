import type { HookRecord, Recorder } from "@hookline/engine";
import { type HookRegistryEntry, takesEffect } from "@hookline/engine/program";
import { visible } from "../../terminal/visible.ts";
import type { AgentEvent } from "../agentEvent.ts";

const TAIL_LINES = 3;
const TAIL_CHARS = 4_000;

interface RunningTool {
  readonly name: string;
  readonly tail: string;
}

/** The current activity: the latest running hook, else the latest running tool. */
export class Activity implements Recorder {
  readonly #hooks = new Map<string, string>();
  readonly #tools = new Map<string, RunningTool>();

  record(record: HookRecord): void {
    switch (record.kind) {
      case "hookStarted":
        if (isWaitedFor(record.hook)) this.#hooks.set(keyOf(record), labelOf(record.hook));
        return;
      case "hookEnded":
        this.#hooks.delete(keyOf(record));
        return;
      case "eventMatched":
      case "hookSkipped":
      case "approval":
      case "merged":
        return;
    }
  }

  observe(event: AgentEvent): void {
    if (event.type === "toolCall") this.#tools.set(event.id, { name: event.name, tail: "" });
    if (event.type === "toolResult") this.#tools.delete(event.id);
    if (event.type === "toolOutput") this.#addOutput(event.id, event.text);
  }

  /** Undefined if neither a hook nor a tool is running. */
  get current(): string | undefined {
    const tool = [...this.#tools.values()].at(-1);
    return [...this.#hooks.values()].at(-1) ?? (tool && `running ${visible(tool.name)}`);
  }

  /** The last output lines of the latest tool. */
  get tail(): readonly string[] {
    const text = [...this.#tools.values()].at(-1)?.tail.trimEnd() ?? "";
    return text === "" ? [] : text.split(/\r\n|[\r\n]/).slice(-TAIL_LINES);
  }

  /** Forgets everything: cancelled work may never report its end. */
  clear(): void {
    this.#hooks.clear();
    this.#tools.clear();
  }

  #addOutput(id: string, text: string): void {
    const tool = this.#tools.get(id);
    if (tool) this.#tools.set(id, { ...tool, tail: (tool.tail + text).slice(-TAIL_CHARS) });
  }
}

function isWaitedFor({ config }: HookRegistryEntry): boolean {
  return takesEffect(config);
}

function keyOf({ eventId, runId }: { readonly eventId: string; readonly runId: number }): string {
  return `${eventId} ${runId}`;
}

function labelOf({ config }: HookRegistryEntry): string {
  return `hook ${visible(config.name)} (${config.eventName})`;
}
