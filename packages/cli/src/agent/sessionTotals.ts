import type { GenerateContentResponse } from "@google/genai";
import type { TaskFacts } from "../tools/tool.ts";
import type { CallReport } from "./turnResult.ts";

export interface Usage {
  readonly requests: number;
  readonly promptTokenCount: number;
  readonly candidatesTokenCount: number;
  readonly totalTokenCount: number;
}

/** The totals of a session so far. */
export class SessionTotals {
  readonly toolCalls: CallReport[] = [];
  /** Names of the tools and abilities that ran. */
  readonly abilitiesUsed = new Set<string>();
  /** Absolute paths, as far as tools report them. */
  readonly readFiles = new Set<string>();
  readonly changedFiles = new Set<string>();
  /** The current state of tasks that the session created or ran, by key. */
  readonly tasks = new Map<string, TaskFacts>();
  #usage: Usage = { requests: 0, promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 };

  get usage(): Usage {
    return this.#usage;
  }

  addResponse({ usageMetadata: used = {} }: GenerateContentResponse): void {
    const { requests, promptTokenCount, candidatesTokenCount, totalTokenCount } = this.#usage;
    this.#usage = {
      requests: requests + 1,
      promptTokenCount: promptTokenCount + (used.promptTokenCount ?? 0),
      candidatesTokenCount: candidatesTokenCount + (used.candidatesTokenCount ?? 0),
      totalTokenCount: totalTokenCount + (used.totalTokenCount ?? 0),
    };
  }
}
