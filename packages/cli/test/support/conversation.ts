import { expect } from "vitest";
import { z } from "zod";

const part = z.looseObject({
  text: z.string().optional(),
  functionCall: z.looseObject({ name: z.string(), args: z.unknown() }).optional(),
  functionResponse: z
    .looseObject({
      name: z.string(),
      response: z.looseObject({ output: z.string().optional(), error: z.string().optional() }),
    })
    .optional(),
  inlineData: z.looseObject({ mimeType: z.string() }).optional(),
});
const content = z.looseObject({ role: z.string(), parts: z.array(part) });

export const contents = z.array(content);
export type Conversation = z.infer<typeof contents>;

/** A conversation in words, a line for each part, so that a test can compare all of it. */
export function inWords(conversation: Conversation): string[] {
  return conversation.flatMap(({ role, parts }) => parts.map((one) => partInWords(role, one)));
}

function partInWords(role: string, { text, functionCall, functionResponse, inlineData }: z.infer<typeof part>): string {
  if (text !== undefined) return `${role}: ${text}`;
  if (functionCall) return `${role} calls ${functionCall.name} ${JSON.stringify(functionCall.args ?? {})}`;
  if (inlineData) return `${role} has ${inlineData.mimeType}`;
  const { name, response } = functionResponse ?? { name: "nobody", response: {} };
  return response.error === undefined ? `${name} returned: ${response.output}` : `${name} failed: ${response.error}`;
}

/** What a service demands: the calls of a message are answered by the very next one, all of them and in their order. */
export function expectAnswered(conversation: Conversation): void {
  for (const [index, message] of conversation.entries()) {
    const asked = message.parts.flatMap(({ functionCall }) => functionCall?.name ?? []);
    const next = conversation[index + 1]?.parts ?? [];
    const answered = next.flatMap(({ functionResponse }) => functionResponse?.name ?? []);
    expect(answered, `what answers message ${index} of ${JSON.stringify(conversation)}`).toEqual(asked);
  }
}
