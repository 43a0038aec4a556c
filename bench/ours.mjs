import { fireAfterModelHook, HookSystem } from "../packages/engine/dist/index.js";

/** Our engine with these hooks, driven the way an agent drives it: from the config, through the event handler. */
export async function startOurs({ dir, hooks = {}, runtimeHook }) {
  const config = {
    getSessionId: () => "bench",
    getWorkingDir: () => dir,
    getTranscriptPath: () => "",
    getHooks: () => hooks,
    getEnableHooks: () => true,
    getExtensions: () => [],
    getHookSystem: () => system,
  };
  const system = new HookSystem(config, { trust: "all" });
  await system.initialize();
  if (runtimeHook) system.registerHook(runtimeHook, "BeforeTool");

  return {
    config,
    beforeTool: (tool_name, tool_input) =>
      config.getHookSystem().getEventHandler().fireBeforeToolEvent({ tool_name, tool_input, tool_call_id: "1" }),
    beforeModel: (request) =>
      config
        .getHookSystem()
        .getEventHandler()
        .fireBeforeModelEvent(() => ({ llm_request: toLLMRequest(request) })),
    afterModel: (request, response) => fireAfterModelHook(config, request, response),
    dispose: () => system.dispose(),
  };
}

function toLLMRequest({ model, contents }) {
  const messages = contents.map(({ role, parts }) => ({ role, content: parts.map((part) => part.text).join("") }));
  return { model, messages };
}
