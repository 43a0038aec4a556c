import type { Candidate, FunctionCall, GenerateContentResponse, Part } from "../sdkTypes.ts";
import { partsOf } from "./hookPart.ts";

/** Replaces the SDK's class, which cannot be imported: the SDK is an optional dependency of the embedder. */
export class HookResponse implements GenerateContentResponse {
  candidates: Candidate[] = [];
  declare usageMetadata?: NonNullable<GenerateContentResponse["usageMetadata"]>;

  get text(): string | undefined {
    return spokenText(firstParts(this));
  }

  get functionCalls(): FunctionCall[] | undefined {
    const calls = firstParts(this).flatMap((part) => part?.functionCall ?? []);
    return calls.length > 0 ? calls : undefined;
  }

  get data(): string | undefined {
    const blobs = firstParts(this).flatMap((part) => part?.inlineData?.data ?? []);
    const bytes = Buffer.concat(blobs.map((blob) => Buffer.from(blob, "base64")));
    return bytes.length > 0 ? bytes.toString("base64") : undefined;
  }

  get executableCode(): string | undefined {
    return firstParts(this).find((part) => part?.executableCode)?.executableCode?.code;
  }

  get codeExecutionResult(): string | undefined {
    return firstParts(this).find((part) => part?.codeExecutionResult)?.codeExecutionResult?.output;
  }

  get initialPromptTokenCount(): number | undefined {
    return this.usageMetadata?.promptTokenCount;
  }
}

/** All text except thoughts; undefined if there is none, which differs from an empty text. */
export function spokenText(parts: readonly Part[]): string | undefined {
  let text: string | undefined;
  for (const part of parts) {
    if (typeof part?.text === "string" && part.thought !== true) text = (text ?? "") + part.text;
  }
  return text;
}

function firstParts({ candidates }: HookResponse): readonly Part[] {
  return partsOf(candidates?.[0]?.content);
}
