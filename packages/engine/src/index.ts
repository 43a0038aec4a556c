export type { EngineOptions, Extension, HookDeclaration, LayerStatus, LoadedSettings, Problem } from "./config/hookDeclaration.ts";
export { ConfigSource } from "./config/hookDeclaration.ts";
export { loadSettings } from "./config/loadSettings.ts";
export { HookSystem } from "./hooks/hookSystem.ts";
export { SettingsConfig, type Config } from "./hooks/config.ts";
