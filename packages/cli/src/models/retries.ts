import { setTimeout as sleep } from "node:timers/promises";
import type { GenerateContentParameters, GenerateContentResponse } from "@google/genai";
import type { ContentGenerator } from "./contentGenerator.ts";
import { ModelError } from "./modelError.ts";

/** After a `retry`, discard all earlier chunks: the answer starts again. */
export type ModelEvent =
  | { readonly kind: "chunk"; readonly response: GenerateContentResponse }
  | ({ readonly kind: "retry" } & ModelRetry);

export interface ModelRetry {
  /** The number of the failed attempt, from 1. */
  readonly attempt: number;
  readonly reason: string;
  readonly waitMs: number;
}

export interface RetryPolicy {
  /** All attempts, including the first. */
  readonly attempts: number;
  readonly baseMs: number;
  readonly maxMs: number;
}

export const RETRY_POLICY: RetryPolicy = { attempts: 5, baseMs: 500, maxMs: 30_000 };

/** The longest wait that a server may ask for, so that the program does not seem to hang. */
const LONGEST_ASKED_MS = 60_000;

interface RetryOptions {
  readonly signal?: AbortSignal;
  readonly policy?: RetryPolicy;
}

export async function* streamWithRetries(
  generator: ContentGenerator,
  request: GenerateContentParameters,
  { signal, policy = RETRY_POLICY }: RetryOptions = {},
): AsyncGenerator<ModelEvent, void, undefined> {
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    let retry: ModelRetry;
    try {
      for await (const response of generator.generateContentStream(request, signal)) {
        signal?.throwIfAborted();
        yield { kind: "chunk", response };
      }
      return;
    } catch (error) {
      retry = retryAfter(error, { attempt, signal, policy });
    }
    yield { kind: "retry", ...retry };
    await pause(retry.waitMs, signal);
  }
}

export async function generateWithRetries(
  generator: ContentGenerator,
  request: GenerateContentParameters,
  options: RetryOptions & { readonly onRetry?: (retry: ModelRetry) => void } = {},
): Promise<GenerateContentResponse> {
  const { signal, policy = RETRY_POLICY, onRetry } = options;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    let retry: ModelRetry;
    try {
      return await generator.generateContent(request, signal);
    } catch (error) {
      retry = retryAfter(error, { attempt, signal, policy });
    }
    onRetry?.(retry);
    await pause(retry.waitMs, signal);
  }
}

interface Attempt {
  readonly attempt: number;
  readonly signal: AbortSignal | undefined;
  readonly policy: RetryPolicy;
}

/** Throws errors that a retry cannot fix. */
function retryAfter(error: unknown, { attempt, signal, policy }: Attempt): ModelRetry {
  signal?.throwIfAborted();
  if (!(error instanceof ModelError) || !error.isTransient) throw error;
  if (attempt >= policy.attempts) throw attempt === 1 ? error : gaveUp(error, attempt);
  return { attempt, reason: error.what, waitMs: waitAfter(attempt, policy, error.retryAfterMs) };
}

/** Half of the delay is random jitter, so that clients that failed together do not retry together. */
function waitAfter(attempt: number, { baseMs, maxMs }: RetryPolicy, askedMs = 0): number {
  const delayMs = Math.min(maxMs, baseMs * 2 ** (attempt - 1));
  const jittered = delayMs / 2 + (Math.random() * delayMs) / 2;
  return Math.round(Math.max(jittered, Math.min(askedMs, LONGEST_ASKED_MS)));
}

function gaveUp({ code, what, next, isTransient, cause }: ModelError, attempts: number): ModelError {
  return new ModelError({ code, what: `${what} All ${attempts} attempts failed.`, next, isTransient, cause });
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal && { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
