import { z } from "zod";

const toolCall = z.object({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z.object({
    name: z.string().nullish(),
    /** Text by the book; some servers send the object itself. */
    arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
  }),
});

/** A piece of a message, or all of it: both have the same fields. */
const message = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  /** Thoughts have two names, depending on the server, and not always the form of text. */
  reasoning_content: z.string().nullish().catch(undefined),
  reasoning: z.string().nullish().catch(undefined),
  tool_calls: z.array(toolCall).nullish(),
});

const choice = z.object({
  index: z.number().nullish(),
  delta: message.nullish(),
  message: message.nullish(),
  finish_reason: z.string().nullish(),
});

const usage = z.object({
  prompt_tokens: z.number().nullish(),
  completion_tokens: z.number().nullish(),
  total_tokens: z.number().nullish(),
  prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
  completion_tokens_details: z.object({ reasoning_tokens: z.number().nullish() }).nullish(),
});

/** A whole completion or a chunk of one. */
export const completion = z.object({
  id: z.string().nullish(),
  model: z.string().nullish(),
  choices: z.array(choice),
  usage: usage.nullish(),
});

export type Completion = z.infer<typeof completion>;
export type Usage = z.infer<typeof usage>;
export type WireMessage = z.infer<typeof message>;
export type WireToolCall = z.infer<typeof toolCall>;

export interface ToolCallOut {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

export type ContentPiece =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

export type MessageOut =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; readonly content: string | readonly ContentPiece[] }
  | { readonly role: "assistant"; readonly content: string | null; readonly tool_calls?: readonly ToolCallOut[] }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };
