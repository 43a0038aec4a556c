import { constants } from "node:os";
import { getSystemErrorName } from "node:util";
import type { SpawnRequest } from "../spawnGroup.ts";
import { explainStartFailure } from "../startFailure.ts";
import type { SpawnedProcess } from "./spawnedProcess.ts";
import { type Frame, numberAt, REPORT } from "./spawnerFrames.ts";

/** Hands a report of a started process to its listeners. */
export function deliver(process: SpawnedProcess, { kind, body }: Frame): void {
  if (kind === REPORT.exited) {
    const signal = numberAt(body, 4);
    if (signal === 0) process.exit(numberAt(body, 0), null);
    else process.exit(null, signalName(signal));
    return;
  }
  const output = kind === REPORT.stdout ? process.stdout : process.stderr;
  if (body.length > 0) output.push(body);
  else output.end();
}

/** As Node reports it. */
export function startFailure({ body }: Frame, { argv: [program], cwd }: SpawnRequest): Error {
  const code = getSystemErrorName(-numberAt(body, 0));
  return explainStartFailure(Object.assign(new Error(`spawn ${program} ${code}`), { code }), program, cwd);
}

function signalName(signal: number): NodeJS.Signals {
  // Node has no names for real-time signals.
  return (
    Object.keys(constants.signals)
      .filter(isSignal)
      .find((name) => constants.signals[name] === signal) ?? "SIGKILL"
  );
}

function isSignal(name: string): name is NodeJS.Signals {
  return name in constants.signals;
}
