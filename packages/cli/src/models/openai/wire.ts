import { z } from "zod";

const toolCall = z.object({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z.object({
    name: z.string().nullish(),
    /** Text according to the API; some servers send an object. */
    arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
  }),
});

/** A message or a piece of one; both have the same fields. */
const message = z.object({
  content: z.string().nullish(),
  refusal: z.string().nullish(),
  /** Thoughts: the name depends on the server, and the value is not always text. */
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

const count = z.number().nullish().catch(undefined);
const usage = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: z.object({ cached_tokens: count }).nullish().catch(undefined),
  completion_tokens_details: z.object({ reasoning_tokens: count }).nullish().catch(undefined),
});

/** A completion or a chunk of one. */
export const completion = z.object({
  id: z.string().nullish(),
  model: z.string().nullish(),
  choices: z.array(choice),
  usage: usage.nullish().catch(undefined),
});

/** Whether a chunk contains part of an answer. */
export function saysSomething({ choices }: Completion): boolean {
  return choices.some(({ delta, message: whole, finish_reason }) => {
    const { content, refusal, reasoning, reasoning_content, tool_calls } = delta ?? whole ?? {};
    const texts = [finish_reason, content, refusal, reasoning, reasoning_content];
    return texts.some(Boolean) || (tool_calls?.length ?? 0) > 0;
  });
}

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
