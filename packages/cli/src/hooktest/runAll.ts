import { setMaxListeners } from "node:events";
import { availableParallelism } from "node:os";
import type { LoadedSettings } from "@hookline/engine/program";
import { copyHooks } from "../sandbox/copyHooks.ts";
import { Interrupted } from "../terminal/exitCode.ts";
import type { ReadHooktest } from "./readHooktest.ts";
import { type FileResult, runHooktest } from "./runHooktest.ts";

interface RunOptions {
  readonly project: LoadedSettings;
  /** Run in the project itself, not in copies. */
  readonly inPlace: boolean;
  readonly signal: AbortSignal;
  /** Called once for each way in which a copy differs from the project. */
  readonly onNotice: (notice: string) => void;
}

const MOST_AT_ONCE = 4;
const TOO_LARGE = "Pass --in-place to run the tests in the project itself, or have git ignore what hooks do not need.";

/** Runs each file in a separate copy, a few in parallel. Yields in the order of the files, each as soon as it is done. */
export async function* runAll(read: readonly ReadHooktest[], options: RunOptions): AsyncGenerator<FileResult> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  // Every running hook adds a listener.
  setMaxListeners(0, signal);
  const atOnce = options.inPlace ? 1 : Math.min(MOST_AT_ONCE, availableParallelism());
  const running = inTurns(read, atOnce, (one) => runFile(one, { ...options, signal }));
  try {
    for (const result of running) yield await result;
  } finally {
    // After a failure, or if the caller stops iterating, remove every copy.
    stop.abort();
    await Promise.allSettled(running);
  }
}

/** Returns a promise per item, and works on a limited number of items at once. */
function inTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): readonly Promise<Result>[] {
  const waiting: (() => void)[] = [];
  let free = atOnce;
  const takeTurn = async () => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
  };
  const passOn = () => {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  };
  return items.map((item) => {
    const result = takeTurn()
      .then(() => work(item))
      .finally(passOn);
    result.catch(() => {}); // prevents an unhandled rejection; the caller awaits it later
    return result;
  });
}

async function runFile(read: ReadHooktest, { project, inPlace, signal, onNotice }: RunOptions): Promise<FileResult> {
  if (read.kind === "wrong") return { file: read.file, problems: read.problems, cases: [] };
  if (signal.aborted) throw new Interrupted();
  const { file, hooktest } = read;
  const { projectRoot } = project;
  if (inPlace) return runHooktest(file, hooktest, { root: projectRoot, projectRoot, signal });
  const copy = await copyHooks(project, { next: TOO_LARGE, signal });
  try {
    for (const notice of copy.notices) onNotice(notice);
    return await runHooktest(file, hooktest, { root: copy.root, projectRoot, signal });
  } finally {
    copy.dispose();
  }
}
