import type { HookToolConfig } from "../../events/modelSchemas.ts";
import { isRecord } from "../answer/answer.ts";
import type { Fields, FormReading } from "../run/rewrites.ts";
import type { FunctionCallingConfig, ToolConfig } from "../sdkTypes.ts";
import { sameJson } from "./sameJson.ts";

/** How hooks see the SDK's modes. VALIDATED lets the model choose, with checked arguments. */
const MODES: ReadonlyMap<unknown, HookToolConfig["mode"]> = new Map([
  ["AUTO", "AUTO"],
  ["ANY", "ANY"],
  ["NONE", "NONE"],
  ["VALIDATED", "AUTO"],
]);

export function toHookToolConfig(sdk: ToolConfig | undefined): HookToolConfig | undefined {
  const mode = MODES.get(sdk?.functionCallingConfig?.mode);
  const names = sdk?.functionCallingConfig?.allowedFunctionNames;
  if (mode === undefined && !Array.isArray(names)) return undefined;
  return { ...(mode && { mode }), ...(Array.isArray(names) && { allowedFunctionNames: [...names] }) };
}

/** Sets what the answer names and keeps the rest of the base; without a change, the base itself. */
export function fromHookToolConfig(hook: HookToolConfig | undefined, base?: ToolConfig): ToolConfig | undefined {
  if (!isRecord(hook)) return base;
  const shown = toHookToolConfig(base);
  const { mode, allowedFunctionNames } = hook;
  const changed: FunctionCallingConfig = {};
  // The SDK's enum has the same words.
  if (isMode(mode) && mode !== shown?.mode) changed.mode = mode as NonNullable<FunctionCallingConfig["mode"]>;
  if (isNameList(allowedFunctionNames) && !sameJson(allowedFunctionNames, shown?.allowedFunctionNames)) {
    changed.allowedFunctionNames = [...allowedFunctionNames];
  }
  if (Object.keys(changed).length === 0) return base;
  return { ...base, functionCallingConfig: { ...base?.functionCallingConfig, ...changed } };
}

/** The tool choice of an answer, also in the SDK's own shape. */
export function readToolConfig(answered: Fields): FormReading {
  const { functionCallingConfig, mode, allowedFunctionNames, ...others } = answered;
  const sdk = isRecord(functionCallingConfig) ? toHookToolConfig({ functionCallingConfig }) : undefined;
  return {
    value: { ...sdk, ...(mode != null && { mode }), ...(allowedFunctionNames != null && { allowedFunctionNames }) },
    ignored: Object.keys(others).map((key) => `toolConfig.${key} has no effect`),
  };
}

function isMode(value: unknown): value is NonNullable<HookToolConfig["mode"]> {
  return value === "AUTO" || value === "ANY" || value === "NONE";
}

function isNameList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}
