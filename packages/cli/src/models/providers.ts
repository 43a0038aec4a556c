import type { ContentGenerator } from "./contentGenerator.ts";
import { type Environment, geminiEndpoint, openAiEndpoint } from "./endpoint.ts";
import { geminiModel } from "./gemini.ts";
import { openAiModel } from "./openai.ts";
import { openReplay } from "./replay.ts";

export interface OpenModel {
  readonly generator: ContentGenerator;
  /** What requests name as their model. */
  readonly model: string;
}

interface Surroundings {
  readonly env: Environment;
  /** What relative paths are relative to. */
  readonly cwd: string;
}

/** Who answers a model's requests. */
interface Provider {
  /** What the names of its models begin with. */
  readonly prefix: string;
  /** How its models are named, for help and for errors. */
  readonly usage: string;
  readonly example: string;
  /** Names that are clear without the prefix. */
  readonly bareNames?: RegExp;
  /** Only to guess what was meant; any other name of the service will do as well. */
  readonly familiar?: readonly string[];
  /** How long a conversation its models take. */
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

/** The provider of a model by its name on the command line, and what the name says beside the prefix. */
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

/** How long a conversation a model takes; one of an unknown provider is taken to be like most. */
export function limitTokensOf(name: string): number {
  return providerOf(name)?.provider.limitTokens ?? USUAL_LIMIT_TOKENS;
}

/** `llama3.2@http://localhost:11434/v1`; a model's own name may have an @ in it. */
function splitAddress(text: string): { readonly model: string; readonly baseUrl?: string } {
  const at = text.search(/@[a-z][a-z0-9+.-]*:\/\//i);
  return at < 1 ? { model: text } : { model: text.slice(0, at), baseUrl: text.slice(at + 1) };
}
