import type { LLMRequest } from "../../events/modelSchemas.ts";
import { isRecord } from "../answer/answer.ts";
import type { Fields, FormReading } from "../run/rewrites.ts";
import type { ContentListUnion, ContentUnion } from "../sdkTypes.ts";
import { readGenerationConfig } from "./generationConfig.ts";
import { asContent, listContents } from "./hookMessages.ts";
import { partsOf } from "./hookPart.ts";
import { readMessages } from "./readMessages.ts";
import { readToolConfig } from "./toolConfig.ts";
import { readTools } from "./toolList.ts";

/** Fields of a request, in the stable form and in the SDK's own. */
const KNOWN = new Set([
  "model",
  "messages",
  "config",
  "tools",
  "toolConfig",
  "contents",
  "generationConfig",
  "systemInstruction",
]);

/**
 * Reads a (partial) request of an answer as a change of the shown request. Translates the SDK's own shape. Drops fields without
 * effect, so that they are not recorded as a rewrite; keeps an unreadable field, so that it blocks.
 */
export function readRequest(answered: Fields, shown: unknown): FormReading {
  const before: Fields = isRecord(shown) ? shown : {};
  const given = inStableShape(answered);
  const ignored = Object.keys(given).filter((key) => !KNOWN.has(key) && given[key] !== null && !(key in before));
  const value: Record<string, unknown> = {};
  if (isGiven(given.messages) && isGiven(given.contents)) ignored.push("contents");
  if (given.model === "") ignored.push("model");
  else if (isGiven(given.model)) value.model = given.model;

  const messages = readConversation(given, before);
  if (messages !== undefined) value.messages = messages;

  if (isRecord(given.config)) {
    const config = readGenerationConfig(before.config, given.config);
    value.config = config.fields;
    ignored.push(...config.ignored.map((key) => `config.${key}`));
  } else if (isGiven(given.config)) value.config = given.config;

  if (isRecord(given.toolConfig)) value.toolConfig = readToolConfig(given.toolConfig).value;
  else if (isGiven(given.toolConfig)) value.toolConfig = given.toolConfig;

  if (Array.isArray(given.tools) && isRecord(shown)) {
    const { tools, unknown } = readTools(before.tools, given.tools);
    if (tools) value.tools = tools;
    ignored.push(...unknown.map((name) => `tools.${name}`));
  } else if (isGiven(given.tools)) value.tools = given.tools;
  return { value, ignored: ignored.map((key) => `llm_request.${key} has no effect`) };
}

/** Whether it has fields that only exist in the SDK's own shape. */
export function isSdkShaped({ contents, generationConfig, systemInstruction, config }: Fields): boolean {
  const own = isRecord(config) ? [config.systemInstruction, config.tools, config.toolConfig] : [];
  return [contents, generationConfig, systemInstruction, ...own].some(isGiven);
}

/** The SDK keeps the instruction and the tools among the settings. */
function inStableShape(answered: Fields): Fields {
  if (!isRecord(answered.generationConfig) && !isRecord(answered.config)) return answered;
  const settings = { ...fieldsOf(answered.generationConfig), ...fieldsOf(answered.config) };
  const { systemInstruction, tools, toolConfig, ...config } = settings;
  return { systemInstruction, tools, toolConfig, ...answered, config };
}

/** The answered conversation. An instruction alone, in the SDK's shape, leaves the rest unchanged. */
function readConversation({ messages, contents, systemInstruction }: Fields, before: Fields): unknown {
  const shown: LLMRequest["messages"] = Array.isArray(before.messages) ? before.messages : [];
  const given = messages ?? (isContentList(contents) ? contentMessages(contents) : undefined);
  if (!isInstruction(systemInstruction)) return isGiven(given) ? (readMessages(given, shown) ?? given) : undefined;
  const system = { role: "system", parts: partsOf(asContent(systemInstruction)) };
  const rest = Array.isArray(given) ? given : shown.filter(({ role }) => role !== "system");
  return readMessages([system, ...rest], shown) ?? [system, ...rest];
}

/** In the SDK's shape a content lists all its parts. */
function contentMessages(contents: ContentListUnion): unknown[] {
  return listContents(contents).map((content) => ({
    role: content?.role === "model" ? "model" : "user",
    parts: partsOf(content),
  }));
}

/** Its items are read part by part. */
const isContentList = (value: unknown): value is ContentListUnion => isGiven(value);
const isInstruction = (value: unknown): value is ContentUnion => isGiven(value);
const isGiven = (value: unknown) => value !== undefined && value !== null;
const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {});
