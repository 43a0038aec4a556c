import { resolve } from "node:path";
import { HooklineError } from "@hookline/engine";
import { didYouMean } from "@hookline/engine/program";
import { ProgramError } from "../errors.ts";
import { shortened } from "../terminal/visible.ts";
import type { Environment } from "./endpoint.ts";
import { openJsonLines } from "./jsonLines.ts";
import { type OpenModel, oneOfProviders, PROVIDERS, providerOf } from "./providers.ts";
import { recording } from "./recording.ts";
import { loggingRequests } from "./requestLog.ts";

export interface OpenModelOptions {
  readonly env: Environment;
  /** The base of relative paths. */
  readonly cwd: string;
  /** A file that records every answer for a replay. It is truncated first. */
  readonly record?: string;
  /** A file that every request is appended to. */
  readonly requests?: string;
}

/** Opens a model by its name on the command line, and reports every error that can be found without a request. */
export async function openModel(name: string, options: OpenModelOptions): Promise<OpenModel> {
  const { cwd, record, requests } = options;
  if (record !== undefined && requests !== undefined && resolve(cwd, record) === resolve(cwd, requests)) {
    throw new HooklineError({ code: "OPTION_INVALID", what: "--record and --requests name the same file." });
  }
  // The replayed file may be the recorded one: read it before truncating it.
  const { generator, model } = await modelNamed(name, options);
  const recorded =
    record === undefined ? generator : recording(generator, await openJsonLines(record, { cwd, flag: "w" }));
  const logged =
    requests === undefined ? recorded : loggingRequests(recorded, await openJsonLines(requests, { cwd, flag: "a" }));
  return { generator: logged, model };
}

async function modelNamed(name: string, options: OpenModelOptions): Promise<OpenModel> {
  const found = providerOf(name);
  if (!found) throw unknown(name);
  return found.provider.open(found.model, options);
}

function unknown(name: string): ProgramError {
  const prefix = name.slice(0, name.indexOf(":") + 1);
  const prefixes = PROVIDERS.map((provider) => provider.prefix);
  const familiar = PROVIDERS.flatMap((provider) => provider.familiar ?? []);
  const guess =
    prefix === "" ? didYouMean(name, familiar) : prefixes.includes(prefix) ? "" : didYouMean(prefix, prefixes);
  const what = `There is no model ${shortened(JSON.stringify(name), 100)}.${guess}`;
  return new ProgramError({ code: "MODEL_UNKNOWN", what, next: `Write ${oneOfProviders(({ example }) => example)}.` });
}
