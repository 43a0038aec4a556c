/** The total time for SessionEnd hooks, background hooks and servers after the signal to end the program. */
const LAST_MS = 3_000;

export interface LastSeconds {
  /** Aborts that long after the program's signal. */
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
