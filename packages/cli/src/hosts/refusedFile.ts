import { hasComment, parsedObject } from "../switches/jsonText.ts";
import type { Seat } from "./seat.ts";
import { dialectOf } from "./seatNamed.ts";

/** Why the host would refuse the whole file, with every hook in it. Throws if it is not JSON. */
export function refusedFile(seat: Seat, text: string, file: string): string | undefined {
  const { title } = dialectOf(seat);
  const keys = (parsedObject(text, file).children ?? []).map(({ children: [key] = [] }) => String(key?.value));
  const unknown = seat.rootKeys === null ? [] : keys.filter((key) => !seat.rootKeys?.includes(key));
  if (unknown.length > 0) {
    const known = seat.rootKeys?.join(" and ");
    const named = unknown.map((key) => JSON.stringify(key)).join(", ");
    return `${title} takes only the keys ${known} here, and this file has ${named}: it would ignore every hook in it.`;
  }
  if (seat.takesComments || !hasComment(text)) return undefined;
  return `${title} reads plain JSON here, and this file has comments: it would ignore every hook in it.`;
}
