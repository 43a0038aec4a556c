import { colours } from "../../terminal/colour.ts";
import type { Io } from "../../terminal/io.ts";
import { visible } from "../../terminal/visible.ts";
import type { Activity } from "./activity.ts";
import type { Screen } from "./screen.ts";

const TICK_MS = 120;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** Shows the current activity and its duration below everything else. Returns a function that ends it. */
export function showProgress(io: Io, screen: Screen, activity: Activity, otherwise: string): () => void {
  const { dim } = colours(io);
  let what = "";
  let since = performance.now();
  let ticks = 0;
  const timer = setInterval(() => {
    const now = activity.current ?? otherwise;
    if (now !== what) [what, since] = [now, performance.now()];
    const seconds = Math.floor((performance.now() - since) / 1_000);
    const status = `${FRAMES[ticks++ % FRAMES.length]} ${what}… ${seconds} s · Ctrl-C cancels`;
    screen.live([...activity.tail.map((line) => `    ${visible(line.replaceAll("\t", "    "))}`), status], dim);
  }, TICK_MS);
  return () => {
    clearInterval(timer);
    screen.live([]);
  };
}
