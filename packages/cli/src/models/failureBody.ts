import { z } from "zod";

export interface FailureBody {
  /** The message of the service; empty if there is none. */
  readonly message: string;
  readonly isKeyFault: boolean;
  /** The account's quota is exhausted, so a retry is pointless. */
  readonly isSpent: boolean;
  readonly retryAfterMs?: number;
}

const detail = z.looseObject({
  "@type": z.string().optional().catch(undefined),
  reason: z.string().optional().catch(undefined),
  retryDelay: z.string().optional().catch(undefined),
});

/** The Gemini API and OpenAI send `{ error: { message } }`; others send less, or in other fields. */
const error = z.looseObject({
  message: z.string().catch(""),
  code: z.unknown(),
  details: z.array(detail).catch([]),
});
const shapes = z.union([
  z.looseObject({ error }).transform((body) => body.error),
  z.looseObject({ error: z.string() }).transform((body) => said(body.error)),
  z.looseObject({ message: z.string() }).transform((body) => said(body.message)),
  z.looseObject({ detail: z.string() }).transform((body) => said(body.detail)),
]);

export function readFailure(body: string): FailureBody {
  const { message, code, details } = shapes.safeParse(firstOf(parsed(body))).data ?? said(plainText(body));
  const delay = details.find((one) => one["@type"]?.endsWith("google.rpc.RetryInfo"))?.retryDelay;
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(delay ?? "")?.[1];
  return {
    message,
    isKeyFault:
      details.some(({ reason }) => reason === "API_KEY_INVALID") ||
      /API key (not valid|expired|not found)/i.test(message),
    isSpent: code === "insufficient_quota",
    ...(seconds !== undefined && { retryAfterMs: Number(seconds) * 1000 }),
  };
}

function said(message: string): z.infer<typeof error> {
  return { message, code: undefined, details: [] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Some proxies of the Gemini API wrap the error in a list. */
function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value;
}

/** Drops HTML pages of proxies, which do not fit on a line. */
function plainText(body: string): string {
  return body.trimStart().startsWith("<") ? "" : body;
}
