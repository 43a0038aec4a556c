import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { declaredOf, type HookDeclaration, type LoadedSettings, type Problem } from "@hookline/engine/program";
import { ABILITIES } from "../declarations/abilities/abilities.ts";
import { MCP_SERVERS } from "../declarations/servers/mcpServers.ts";
import { abilityScopes } from "./abilityScopes.ts";
import { coldWorkers } from "./coldWorkers.ts";
import { matcherHits } from "./matcherHits.ts";
import { replacesUnheld } from "./replacesUnheld.ts";
import { unknownTools } from "./unknownTools.ts";

const MOST_BYTES = 256 * 1024;

/** Reports doubtful declarations that loading accepts. */
export async function checkHooks({
  hooks,
  others,
}: Pick<LoadedSettings, "hooks" | "others">): Promise<readonly Problem[]> {
  const hasServers = declaredOf(MCP_SERVERS, others).length > 0;
  const abilities = declaredOf(ABILITIES, others);
  const found = await Promise.all(
    hooks.map(async (hook) => [
      ...matcherHits(hook),
      ...(await unknownTools(hook, hasServers)),
      ...replacesUnheld(hook, await textsOf(hook)),
      ...coldWorkers(hook),
      ...abilityScopes(hook, abilities),
    ]),
  );
  return found.flat();
}

/** The code of a hook: its fields and the scripts they name. */
async function textsOf({ target }: HookDeclaration): Promise<readonly string[]> {
  if (!target) return [];
  return [JSON.stringify(target.fields), ...(await Promise.all(target.files.map(beginningOf)))];
}

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (!handle) return "";
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } catch {
    return "";
  } finally {
    await handle.close();
  }
}
