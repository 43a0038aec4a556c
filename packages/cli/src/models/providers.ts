import type { ContentGenerator } from "./contentGenerator.ts";
import { type Environment, geminiEndpoint, openAiEndpoint } from "./endpoint.ts";
import { geminiModel } from "./gemini.ts";
import { openAiModel } from "./openai.ts";
import { openReplay } from "./replay.ts";

export interface OpenModel {
  readonly generator: ContentGenerator;
  /** The model's name in requests. */
  readonly model: string;
}

interface Surroundings {
  readonly env: Environment;
  /** The base of relative paths. */
  readonly cwd: string;
}

/** A service or file that answers requests. */
interface Provider {
  /** The prefix of its models' names. */
  readonly prefix: string;
  /** The form of its models' names, for help and errors. */
  readonly usage: string;
  readonly example: string;
  /** Names that need no prefix. */
  readonly bareNames?: RegExp;
  /** Used for suggestions only; the service may accept other names. */
  readonly familiar?: readonly string[];
  /** The context length of its models. */
  readonly limitTokens: number;
  open(model: string, around: Surroundings): OpenModel | Promise<OpenModel>;
}

const USUAL_LIMIT_TOKENS = 128_000;

export const PROVIDERS: readonly Provider[] = [
  {
    prefix: "gemini:",
    usage: "gemini-…",
    example: "`gemini-2.5-pro` (or another Gemini model)",
    bareNames: /^gemini-./,
    familiar: ["gemini-2.5-pro", "gemini-2.5-flash", "gemini-2.5-flash-lite", "gemini-3-pro-preview"],
    limitTokens: 1_048_576,
    open: (model, { env }) => ({ generator: geminiModel(geminiEndpoint(env)), model }),
  },
  {
    prefix: "openai:",
    usage: "openai:<model>",
    example: "`openai:<model>`",
    limitTokens: USUAL_LIMIT_TOKENS,
    open: (name, { env }) => {
      const { model, baseUrl } = splitAddress(name);
      return { generator: openAiModel(openAiEndpoint(env, baseUrl)), model };
    },
  },
  {
    prefix: "replay:",
    usage: "replay:<file>",
    example: "`replay:<file>`",
    limitTokens: USUAL_LIMIT_TOKENS,
    open: async (file, { cwd }) => ({ generator: await openReplay(file, cwd), model: "replay" }),
  },
];

/** Splits a model name of the command line into its provider and the rest. */
export function providerOf(name: string): { readonly provider: Provider; readonly model: string } | undefined {
  for (const provider of PROVIDERS) {
    const { prefix, bareNames } = provider;
    if (name.startsWith(prefix) && name !== prefix) return { provider, model: name.slice(prefix.length) };
    if (bareNames?.test(name)) return { provider, model: name };
  }
  return undefined;
}

/** `a, b, or c`. */
export function oneOfProviders(say: (provider: Provider) => string): string {
  const said = PROVIDERS.map(say);
  return `${said.slice(0, -1).join(", ")}, or ${said.at(-1)}`;
}

/** The context length of a model; a usual value for an unknown provider. */
export function limitTokensOf(name: string): number {
  return providerOf(name)?.provider.limitTokens ?? USUAL_LIMIT_TOKENS;
}

/** Splits `llama3.2@http://localhost:11434/v1`; the model's name may contain an @. */
function splitAddress(text: string): { readonly model: string; readonly baseUrl?: string } {
  const at = text.search(/@[a-z][a-z0-9+.-]*:\/\//i);
  return at < 1 ? { model: text } : { model: text.slice(0, at), baseUrl: text.slice(at + 1) };
}
