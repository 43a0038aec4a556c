import { resolve } from "node:path";
import { didYouMean, HooklineError } from "@hookline/engine";
import { ProgramError } from "../errors.ts";
import { shortened } from "../terminal/visible.ts";
import type { ContentGenerator } from "./contentGenerator.ts";
import { type Environment, geminiEndpoint, openAiEndpoint } from "./endpoint.ts";
import { geminiModel } from "./gemini.ts";
import { openJsonLines } from "./jsonLines.ts";
import { openAiModel } from "./openai.ts";
import { recording } from "./recording.ts";
import { openReplay } from "./replay.ts";
import { loggingRequests } from "./requestLog.ts";

export interface OpenModel {
  readonly generator: ContentGenerator;
  /** What requests name as their model. */
  readonly model: string;
}

export interface OpenModelOptions {
  readonly env: Environment;
  /** What relative paths are relative to. */
  readonly cwd: string;
  /** A file that gets every answer, to be replayed. It is emptied first. */
  readonly record?: string;
  /** A file that every request is added to. */
  readonly requests?: string;
}

/** A model by its name on the command line. Nothing is sent; whatever can be wrong before that is said now. */
export async function openModel(name: string, options: OpenModelOptions): Promise<OpenModel> {
  const { cwd, record, requests } = options;
  if (record !== undefined && requests !== undefined && resolve(cwd, record) === resolve(cwd, requests)) {
    throw new HooklineError({ code: "OPTION_INVALID", what: "--record and --requests name the same file." });
  }
  // The recording that is replayed may be the file that is recorded to: it is read before that is emptied.
  const { generator, model } = await modelNamed(name, options);
  const recorded =
    record === undefined ? generator : recording(generator, await openJsonLines(record, { cwd, flag: "w" }));
  const logged =
    requests === undefined ? recorded : loggingRequests(recorded, await openJsonLines(requests, { cwd, flag: "a" }));
  return { generator: logged, model };
}

const PREFIXES = ["gemini:", "openai:", "replay:"];
/** Only to guess what was meant; any other name of the service will do as well. */
const FAMILIAR = ["gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-3-pro-preview"];

async function modelNamed(name: string, { env, cwd }: OpenModelOptions): Promise<OpenModel> {
  const rest = name.slice(name.indexOf(":") + 1);
  if (rest === "") throw unknown(name);
  if (name.startsWith("replay:")) return { generator: await openReplay(rest, cwd), model: "replay" };
  if (name.startsWith("openai:")) {
    const { model, baseUrl } = splitAddress(rest);
    return { generator: openAiModel(openAiEndpoint(env, baseUrl)), model };
  }
  if (name.startsWith("gemini:") || name.startsWith("gemini-")) {
    return { generator: geminiModel(geminiEndpoint(env)), model: name.startsWith("gemini:") ? rest : name };
  }
  throw unknown(name);
}

/** `llama3.2@http://localhost:11434/v1`; a model's own name may have an @ in it. */
function splitAddress(text: string): { readonly model: string; readonly baseUrl?: string } {
  const at = text.search(/@[a-z][a-z0-9+.-]*:\/\//i);
  return at < 1 ? { model: text } : { model: text.slice(0, at), baseUrl: text.slice(at + 1) };
}

function unknown(name: string): HooklineError {
  const prefix = name.slice(0, name.indexOf(":") + 1);
  const guess =
    prefix === "" ? didYouMean(name, FAMILIAR) : PREFIXES.includes(prefix) ? "" : didYouMean(prefix, PREFIXES);
  const what = `There is no model ${shortened(JSON.stringify(name), 100)}.${guess}`;
  return new ProgramError({ code: "MODEL_UNKNOWN", what });
}
