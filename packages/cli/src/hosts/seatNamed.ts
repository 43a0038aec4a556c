import { HooklineError } from "@hookline/engine";
import { DIALECTS, type Dialect, didYouMean } from "@hookline/engine/program";
import type { Seat } from "./seat.ts";
import { HOST_NAMES, SEATS } from "./seats.ts";

export function seatNamed(given: string): Seat {
  const seat = SEATS.find(({ name }) => name === given);
  if (seat !== undefined) return seat;
  const what = `hookline cannot be installed into ${JSON.stringify(given)}.${didYouMean(given, HOST_NAMES)}`;
  throw new HooklineError({ code: "OPTION_INVALID", what, next: `It can be ${HOST_NAMES.join(", ")}.` });
}

export function dialectOf({ name }: Pick<Seat, "name">): Dialect {
  return DIALECTS[name];
}
