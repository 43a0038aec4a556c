import type { SpawnRequest } from "../spawnGroup.ts";
import { encodeFrame, numbers, REQUEST } from "./spawnerFrames.ts";

interface Variables {
  readonly count: number;
  readonly bytes: Buffer;
}

// A hook has the same variables at every event.
const encoded = new WeakMap<SpawnRequest["env"], Variables>();

/** Texts end with a NUL on the way. Node says what is wrong with one that has a NUL inside. */
export function canBeSent({ argv, cwd, env }: SpawnRequest): boolean {
  if (cwd.includes("\0") || argv.some((word) => word.includes("\0"))) return false;
  const { count, bytes } = variablesOf(env);
  return count === countNuls(bytes);
}

/** Asks for a process, of whose outputs the first `wantedBytes` are of interest. */
export function encodeRun(id: number, { argv, cwd, env }: SpawnRequest, wantedBytes: number): Buffer {
  const { count, bytes } = variablesOf(env);
  const texts = Buffer.from(`${cwd}\0${argv.join("\0")}\0`);
  return encodeFrame(REQUEST.run, id, numbers(wantedBytes, argv.length, count), texts, bytes);
}

function variablesOf(env: SpawnRequest["env"]): Variables {
  const known = encoded.get(env);
  if (known) return known;
  const entries = Object.entries(env);
  const bytes = Buffer.from(entries.map(([name, value]) => `${name}=${value}\0`).join(""));
  const variables = { count: entries.length, bytes };
  encoded.set(env, variables);
  return variables;
}

function countNuls(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte === 0) count++;
  return count;
}
