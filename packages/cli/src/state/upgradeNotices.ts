import { formatPlace, type LoadedSettings } from "@hookline/engine/program";
import { placeOf, type StateIo } from "@hookline/journal";
import { isFirstTimeNamed, isTakenOver, oldStateIn } from "./oldState.ts";

/** 0.1 read a bare timeout below this as seconds, in every file. */
const SECONDS_BELOW = 1_000;

/**
 * What hookline 0.1 wrote in this project and this version does not use, or reads in another way. Said once per project, by the first
 * command that needs its state.
 */
export function upgradeNotices(io: StateIo, loaded: LoadedSettings): readonly string[] {
  const place = placeOf(io, loaded);
  const files = oldStateIn(place.projectRoot);
  if (files.length === 0 || isTakenOver(place) || !isFirstTimeNamed(place)) return [];
  return [
    `${files.join(", ")}: not read, since state is kept in your home folder now. \`hookline doctor --fix\` copies what is yours; approvals of tasks are not copied, since 0.1 did not sign them.`,
    ...shorterTimeouts(loaded),
  ];
}

function shorterTimeouts({ hooks }: LoadedSettings): readonly string[] {
  return hooks.flatMap(({ family, name, place, timeout }) => {
    if (family !== "gemini" || typeof timeout !== "number" || timeout >= SECONDS_BELOW) return [];
    const what = `the timeout ${timeout} of "${name}" is ${timeout} ms now, as in the Gemini CLI; 0.1 read ${timeout} s.`;
    return [`${formatPlace(place)}: ${what} If seconds are meant, write ${timeout * 1_000}.`];
  });
}
