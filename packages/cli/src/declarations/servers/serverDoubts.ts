import { didYouMean, doubt, type Entry, type LocatedMap, nearest, type Problem, plain } from "@hookline/engine/program";
import type { ServerDeclaration } from "./serverDeclaration.ts";
import { ONLY_FOR, RESTRICTING, SERVER_KEYS, UNSUPPORTED } from "./serverFields.ts";

/** Reports valid fields that are probably a mistake. */
export function serverDoubts(fields: LocatedMap, type: ServerDeclaration["type"]): readonly Problem[] {
  return fields.entries.flatMap(({ key, keyPlace: where, value }) => {
    if (Object.hasOwn(UNSUPPORTED, key)) {
      return [doubt({ where, what: `"${key}" is not supported and has no effect.`, next: UNSUPPORTED[key] })];
    }
    if (!SERVER_KEYS.includes(key)) {
      if (holdsBack(key)) return [];
      const what = `"${key}" is not a field of a server.${didYouMean(key, SERVER_KEYS)}`;
      return [doubt({ where, what, next: `The fields are ${SERVER_KEYS.join(", ")}.` })];
    }
    if (Object.hasOwn(ONLY_FOR, key) && ONLY_FOR[key] !== type) {
      const beside = type === "stdio" ? "command" : "url";
      return [doubt({ where, what: `"${key}" has no effect beside "${beside}".`, next: "Remove it." })];
    }
    return key === "env" && value.kind === "map" ? value.entries.flatMap(literalVariable) : [];
  });
}

/** Whether an unknown field was probably meant to restrict the tools of the server. */
export function holdsBack(key: string): boolean {
  return !SERVER_KEYS.includes(key) && nearest(key, RESTRICTING) !== undefined;
}

/** Reports `$NAME`, which other programs accept for `${NAME}`. */
function literalVariable({ key, value }: Entry): readonly Problem[] {
  const [, name] = /^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(String(plain(value))) ?? [];
  if (name === undefined) return [];
  const what = `The variable "${key}" gets the literal text "$${name}".`;
  return [doubt({ where: value.place, what, next: `Write "\${${name}}", and "passEnv": ["${name}"] beside "env".` })];
}
