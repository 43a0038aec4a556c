import { Worker } from "node:worker_threads";
import { errorText } from "@hookline/engine/program";
import { ToolFault } from "./toolFault.ts";

export interface LineMatch {
  /** Line number, from 1. */
  readonly line: number;
  readonly text: string;
}

interface SearchOptions {
  readonly pattern: string;
  readonly caseSensitive: boolean;
  /** The time limit for one text. */
  readonly limitMs: number;
  readonly signal: AbortSignal | undefined;
}

const MAX_LINE_CHARS = 500;
const RESOURCES = { maxOldGenerationSizeMb: 256 };

// Source text instead of a file, which would have a different location in the sources, the build and the packed program.
const WORKER = `
  const { parentPort, workerData } = require("node:worker_threads");
  const expression = new RegExp(workerData.pattern, workerData.flags);
  parentPort.on("message", ({ text, most }) => {
    const matches = [];
    for (const [index, line] of text.split(/\\r?\\n/).entries()) {
      if (matches.length >= most) break;
      if (expression.test(line)) matches.push({ line: index + 1, text: line.slice(0, ${MAX_LINE_CHARS}) });
    }
    parentPort.postMessage(matches);
  });
`;

/** Throws if a pattern is not a regular expression. */
export function refuseInvalidExpression(pattern: string): void {
  try {
    new RegExp(pattern);
  } catch (error) {
    const why = errorText(error);
    throw new ToolFault(
      `\`pattern\` is not a JavaScript regular expression: ${why}. Escape \`( [ { . * + ?\` with \`\\\`.`,
    );
  }
}

/** Tests lines in a separate thread: an expression of a model can take years, and only a thread can be terminated. */
export class LineSearch {
  readonly #options: SearchOptions;
  readonly #worker: Worker;
  #failure: unknown;

  constructor(options: SearchOptions) {
    refuseInvalidExpression(options.pattern);
    this.#options = options;
    const workerData = { pattern: options.pattern, flags: options.caseSensitive ? "" : "i" };
    this.#worker = new Worker(WORKER, { eval: true, workerData, env: {}, execArgv: [], resourceLimits: RESOURCES });
    // Listen between searches too: an unhandled error event would end the program.
    this.#worker.on("error", (error) => {
      this.#failure = error;
    });
  }

  /** Returns at most `most` matching lines, or "tooSlow" at the time limit; after that, this search is unusable. */
  search(text: string, most: number): Promise<readonly LineMatch[] | "tooSlow"> {
    const { limitMs, signal } = this.#options;
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (signal?.aborted) return Promise.reject(signal.reason); // an event that is over reaches no listener
    return new Promise((resolve, reject) => {
      const done = (settle: () => void) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        this.#worker.off("message", answer).off("error", fail);
        settle();
      };
      const answer = (matches: readonly LineMatch[]) => done(() => resolve(matches));
      const fail = (error: unknown) => done(() => reject(error));
      const abort = () => fail(signal?.reason);
      const timer = setTimeout(() => done(() => resolve("tooSlow")), limitMs);
      signal?.addEventListener("abort", abort, { once: true });
      this.#worker.on("message", answer).on("error", fail);
      this.#worker.postMessage({ text, most });
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
