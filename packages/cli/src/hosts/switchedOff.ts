import { parse } from "jsonc-parser";
import type { HostPlan } from "./hostPlan.ts";
import type { Seat } from "./seat.ts";

/** Keys in the host's own file that turn off the hooks that are to be written there. */
export function switchedOff({ switches }: Seat, { after, file }: Pick<HostPlan, "after" | "file">): readonly string[] {
  const settings: unknown = parse(after);
  return switches
    .filter(({ path, off }) => valueAt(settings, path) === off)
    .map(({ path, off }) => `${file.path} has ${path.join(".")}: ${JSON.stringify(off)}, so none of its hooks run.`);
}

function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  if (typeof value !== "object" || value === null) return undefined;
  return valueAt(Object.getOwnPropertyDescriptor(value, key)?.value, rest);
}
