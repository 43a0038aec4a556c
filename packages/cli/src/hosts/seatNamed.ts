import { HooklineError } from "@hookline/engine";
import { DIALECTS, type Dialect, didYouMean } from "@hookline/engine/program";
import type { Seat } from "./seat.ts";
import { HOST_NAMES, SEATS } from "./seats.ts";

/** `isFor` begins the sentence about a name that is not in the list. */
export function seatNamed(given: string, isFor = "hookline cannot be installed into"): Seat {
  const seat = SEATS.find(({ name }) => name === given);
  if (seat !== undefined) return seat;
  const what = `${isFor} ${JSON.stringify(given)}.${didYouMean(given, HOST_NAMES)}`;
  throw new HooklineError({ code: "OPTION_INVALID", what, next: `It can be ${HOST_NAMES.join(", ")}.` });
}

export function dialectOf({ name }: Pick<Seat, "name">): Dialect {
  return DIALECTS[name];
}
