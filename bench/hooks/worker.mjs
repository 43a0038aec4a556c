import { serve } from "../../packages/engine/dist/worker/index.js";

serve({
  BeforeTool: (input) => ({ decision: "allow", systemMessage: input.tool_name }),
  AfterModel: () => ({ decision: "allow" }),
  AfterTool: () => ({ decision: "allow" }),
});
