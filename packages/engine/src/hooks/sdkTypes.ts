// biome-ignore lint/suspicious/noTsIgnore: an expected error would be missing where the SDK is installed
/** @ts-ignore: The SDK is an optional peer. Where it is not installed, the types below stand in for its own. */
import type * as Sdk from "@google/genai";

/** If the SDK is not installed, each field has an error type, which is assignable to anything. */
interface Installed {
  readonly request: Sdk.GenerateContentParameters;
  readonly response: Sdk.GenerateContentResponse;
  readonly config: Sdk.GenerateContentConfig;
  readonly contents: Sdk.ContentListUnion;
  readonly instruction: Sdk.ContentUnion;
  readonly content: Sdk.Content;
  readonly part: Sdk.Part;
  readonly partOrText: Sdk.PartUnion;
  readonly candidate: Sdk.Candidate;
  readonly call: Sdk.FunctionCall;
  readonly declaration: Sdk.FunctionDeclaration;
  readonly toolConfig: Sdk.ToolConfig;
  readonly calling: Sdk.FunctionCallingConfig;
  readonly tools: Sdk.ToolListUnion;
  readonly tool: Sdk.ToolUnion;
  readonly finishReason: Sdk.FinishReason;
}

type Types = Installed extends { readonly request: "absent" } ? Own : Installed;

export type GenerateContentParameters = Types["request"];
export type GenerateContentResponse = Types["response"];
export type GenerateContentConfig = Types["config"];
export type ContentListUnion = Types["contents"];
export type ContentUnion = Types["instruction"];
export type Content = Types["content"];
export type Part = Types["part"];
export type PartUnion = Types["partOrText"];
export type Candidate = Types["candidate"];
export type FunctionCall = Types["call"];
export type FunctionDeclaration = Types["declaration"];
export type ToolConfig = Types["toolConfig"];
export type FunctionCallingConfig = Types["calling"];
export type ToolListUnion = Types["tools"];
export type ToolUnion = Types["tool"];
export type FinishReason = Types["finishReason"];

/** The parts of the SDK's types that the engine reads; objects of the SDK satisfy them. */
interface Own {
  readonly request: OwnRequest;
  readonly response: OwnResponse;
  readonly config: OwnConfig;
  readonly contents: string | OwnPart | OwnContent | readonly (string | OwnPart | OwnContent)[];
  readonly instruction: string | OwnPart | OwnContent | readonly (string | OwnPart)[];
  readonly content: OwnContent;
  readonly part: OwnPart;
  readonly partOrText: string | OwnPart;
  readonly candidate: OwnCandidate;
  readonly call: OwnCall;
  readonly declaration: OwnDeclaration;
  readonly toolConfig: OwnToolConfig;
  readonly calling: OwnCalling;
  readonly tools: OwnTool[];
  readonly tool: OwnTool;
  readonly finishReason: string;
}

interface OwnRequest {
  model: string;
  contents: Own["contents"];
  config?: OwnConfig;
}

interface OwnConfig {
  temperature?: number;
  maxOutputTokens?: number;
  topP?: number;
  topK?: number;
  stopSequences?: string[];
  systemInstruction?: Own["instruction"];
  tools?: OwnTool[];
  toolConfig?: OwnToolConfig;
  abortSignal?: AbortSignal;
}

interface OwnResponse {
  candidates?: OwnCandidate[];
  usageMetadata?: { promptTokenCount?: number; candidatesTokenCount?: number; totalTokenCount?: number };
  readonly text?: string | undefined;
  readonly functionCalls?: OwnCall[] | undefined;
  readonly data?: string | undefined;
  readonly executableCode?: string | undefined;
  readonly codeExecutionResult?: string | undefined;
}

interface OwnCandidate {
  content?: OwnContent;
  finishReason?: string;
  index?: number;
  safetyRatings?: object[];
}

interface OwnContent {
  role?: string;
  parts?: OwnPart[];
}

interface OwnPart {
  text?: string;
  thought?: boolean;
  functionCall?: OwnCall;
  functionResponse?: { id?: string; name?: string; response?: Record<string, unknown> };
  inlineData?: { data?: string; mimeType?: string };
  fileData?: { fileUri?: string; mimeType?: string };
  executableCode?: { code?: string };
  codeExecutionResult?: { output?: string };
}

interface OwnCall {
  id?: string;
  name?: string;
  args?: Record<string, unknown>;
}

interface OwnTool {
  functionDeclarations?: OwnDeclaration[];
}

interface OwnDeclaration {
  name?: string;
  description?: string;
  parameters?: object;
  parametersJsonSchema?: unknown;
}

interface OwnToolConfig {
  functionCallingConfig?: OwnCalling;
}

interface OwnCalling {
  mode?: string;
  allowedFunctionNames?: string[];
}
