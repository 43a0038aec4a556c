import { didYouMean, doubt, type Entry, type LocatedMap, nearest, type Problem, plain } from "@hookline/engine/program";
import type { ServerDeclaration } from "./serverDeclaration.ts";
import { ONLY_FOR, RESTRICTING, SERVER_KEYS, UNSUPPORTED } from "./serverFields.ts";

/** What can be read, and probably is not meant. */
export function serverDoubts(fields: LocatedMap, type: ServerDeclaration["type"]): readonly Problem[] {
  return fields.entries.flatMap(({ key, keyPlace: where, value }) => {
    if (Object.hasOwn(UNSUPPORTED, key)) {
      return [doubt({ where, what: `"${key}" is not supported, and has no effect.`, next: UNSUPPORTED[key] })];
    }
    if (!SERVER_KEYS.includes(key)) {
      if (holdsBack(key)) return [];
      const what = `"${key}" is no field of a server.${didYouMean(key, SERVER_KEYS)}`;
      return [doubt({ where, what, next: `The fields are ${SERVER_KEYS.join(", ")}.` })];
    }
    if (Object.hasOwn(ONLY_FOR, key) && ONLY_FOR[key] !== type) {
      const beside = type === "stdio" ? "command" : "url";
      return [doubt({ where, what: `"${key}" has no meaning beside "${beside}".`, next: "Remove it." })];
    }
    return key === "env" && value.kind === "map" ? value.entries.flatMap(literalVariable) : [];
  });
}

/** An unknown field that was probably meant to restrict what the server offers. */
export function holdsBack(key: string): boolean {
  return !SERVER_KEYS.includes(key) && nearest(key, RESTRICTING) !== undefined;
}

/** `$NAME` is how other programs write what here is `${NAME}`. */
function literalVariable({ key, value }: Entry): readonly Problem[] {
  const [, name] = /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(String(plain(value))) ?? [];
  if (name === undefined) return [];
  const what = `The variable "${key}" is given the text "$${name}" as it stands.`;
  return [doubt({ where: value.place, what, next: `Write "\${${name}}", and "passEnv": ["${name}"] beside "env".` })];
}
