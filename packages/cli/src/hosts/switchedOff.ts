import { hostText } from "./hostFile.ts";
import { looseJson } from "./looseJson.ts";
import { type Places, readPaths } from "./places.ts";
import type { HookSwitch, Level, Seat } from "./seat.ts";
import { dialectOf } from "./seatNamed.ts";

interface ReadFile {
  readonly level: Level;
  readonly path: string;
  readonly text: string;
}

/** What turns off the hooks that are in a file of the host, in it or in another file that the host obeys here. */
export function switchedOff(seat: Seat, installed: ReadFile, places: Places): readonly string[] {
  const others = readPaths(seat, places).filter(({ path }) => path !== installed.path);
  const files = [installed, ...others.map((file) => ({ ...file, text: hostText(file.path) ?? "" }))];
  return files.flatMap(({ level, path, text }) => {
    const settings = looseJson(text);
    return seat.switches
      .filter((one) => isObeyed(one, level, installed.level) && isOff(settings, one))
      .map(
        (one) =>
          `${path} has ${asText(one, settings)}, so ${dialectOf(seat).title} does not run the hooks of hookline.`,
      );
  });
}

/** Managed hooks can be turned off only by managed settings. */
function isObeyed({ sparesManaged }: HookSwitch, there: Level, installed: Level): boolean {
  if (sparesManaged) return there === "managed" && installed !== "managed";
  return installed !== "managed" || there === "managed";
}

function isOff(settings: unknown, { path, off }: HookSwitch): boolean {
  const value = valueAt(settings, path);
  return value === off || (Array.isArray(value) && value.includes(off));
}

function asText({ path, off }: HookSwitch, settings: unknown): string {
  const [name, value] = [path.join("."), JSON.stringify(off)];
  return Array.isArray(valueAt(settings, path)) ? `${value} in ${name}` : `${name}: ${value}`;
}

function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  if (typeof value !== "object" || value === null) return undefined;
  return valueAt(Object.getOwnPropertyDescriptor(value, key)?.value, rest);
}
