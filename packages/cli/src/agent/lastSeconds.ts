/** How long SessionEnd hooks, hooks in the background and servers have in all, once the program was told to end. */
const LAST_MS = 3_000;

export interface LastSeconds {
  /** Aborts that long after the program's signal; never, if that does not come. */
  readonly signal: AbortSignal;
  readonly dispose: () => void;
}

export function lastSeconds(program: AbortSignal): LastSeconds {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    timer = setTimeout(() => controller.abort(), LAST_MS);
  };
  if (program.aborted) start();
  program.addEventListener("abort", start, { once: true });
  return {
    signal: controller.signal,
    dispose: () => {
      clearTimeout(timer);
      program.removeEventListener("abort", start);
    },
  };
}
