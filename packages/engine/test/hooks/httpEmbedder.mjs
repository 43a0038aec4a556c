// A program that embeds the engine, fires one event at an http hook and falls off its end: httpEmbedder.mjs <url>
import { HookSystem } from "../../dist/index.js";

const [url] = process.argv.slice(2);
const config = {
  getSessionId: () => "embedder",
  getWorkingDir: () => process.cwd(),
  getTranscriptPath: () => "",
  getHooks: () => ({ BeforeTool: [{ hooks: [{ type: "http", url }] }] }),
  getEnableHooks: () => true,
  getExtensions: () => [],
  getHookSystem: () => system,
};
const system = new HookSystem(config, { trust: "all" });
await system.initialize();
const { finalOutput, errors } = await system.getEventHandler().fireBeforeToolEvent({ tool_name: "glob" });
console.log(finalOutput?.reason ?? errors[0]?.message);
