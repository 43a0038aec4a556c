// By path: the package's index would load the whole agent. The peer writes every step to console.debug, which its own
// program swallows unless debugging is on.
console.debug = () => {};
const file = new URL("node_modules/@google/gemini-cli-core/dist/src/hooks/hookSystem.js", import.meta.url);
const { HookSystem } = await import(file);

/** The peer's engine with the same hooks, at the same layer as ours; telemetry, statistics and redaction are off. */
export async function startPeer({ dir, hooks = {}, runtimeHook }) {
  const config = {
    getSessionId: () => "bench",
    getWorkingDir: () => dir,
    getProjectRoot: () => dir,
    getHooks: () => hooks,
    getProjectHooks: () => undefined, // these would be recorded as trusted in the user's home
    getDisabledHooks: () => [],
    getExtensions: () => [],
    getHookSystem: () => system,
    isTrustedFolder: () => true,
    getTelemetryEnabled: () => false,
    getTelemetryLogPromptsEnabled: () => false,
    getUsageStatisticsEnabled: () => false,
    sanitizationConfig: { enableEnvironmentVariableRedaction: false },
    storage: { getPlansDir: () => dir },
    get config() {
      return config; // the event handler asks for `context.config`, all others for the config itself
    },
  };
  const system = new HookSystem(config);
  await system.initialize();
  if (runtimeHook) system.registerHook(runtimeHook, "BeforeTool");

  return {
    beforeTool: (toolName, toolInput) =>
      config.getHookSystem().getEventHandler().fireBeforeToolEvent(toolName, toolInput),
    beforeModel: (request) => config.getHookSystem().getEventHandler().fireBeforeModelEvent(request),
    dispose: () => {},
  };
}
