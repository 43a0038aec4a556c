import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect } from "vitest";
import { ROOT } from "../../../../test/repository.ts";
import { ProcessSpawner, type SpawnerOptions } from "../../src/process/spawner/processSpawner.ts";
import { eventually } from "./fixtures.ts";

const { SPAWNER }: { readonly SPAWNER: string } = await import(`${ROOT}scripts/spawner.mjs`);
const NEEDLESS = { argv: ["true"], cwd: "/", env: {} } as const;

/** Whether the native spawner can be built here. Its absence is said; under CI on Linux it is a failure. */
export const hasSpawner = build();

/** As `npm run build` makes it, from the sources of now. */
export const spawnerProgram = SPAWNER;

/** A spawner that takes the next request. */
export async function readySpawner(file = SPAWNER, options: SpawnerOptions = {}): Promise<ProcessSpawner> {
  const spawner = new ProcessSpawner(file, options);
  await eventually(() => expect(spawner.isReadyFor(NEEDLESS)).toBe(true));
  return spawner;
}

function build(): boolean {
  const { stderr } = spawnSync(process.execPath, [`${ROOT}scripts/spawner.mjs`], { encoding: "utf8" });
  if (existsSync(SPAWNER) && stderr === "") return true;
  if (process.env.CI === "true" && process.platform === "linux")
    throw new Error(`The spawner was not built: ${stderr}`);
  process.stderr.write(`NOTICE: the native spawner is missing; the tests that need it are skipped. ${stderr}\n`);
  return false;
}
