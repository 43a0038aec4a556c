import { executeToolWithHooks } from "@hookline/engine";
import { z } from "zod";
import { MCP_SERVERS } from "../../declarations/servers/mcpServers.ts";
import { connectServers } from "../../tools/mcp/connectServers.ts";
import type { ToolArguments } from "../../tools/tool.ts";
import { Workspace } from "../../tools/workspace.ts";
import { type AbilityAnswer, failed } from "../abilityResult.ts";
import type { Execution } from "./execution.ts";

const target = z.object({ server: z.string(), tool: z.string() });

/** Starts the server for this call only. Runs the hooks of the tool itself too, as for any call of it. */
export async function callServerTool(execution: Execution): Promise<AbilityAnswer | "aborted"> {
  const { ability, config, system, projectRoot, environment, approve, signal } = execution;
  const { server: name, tool } = target.parse(ability.target?.fields);
  const server = system.getDeclared(MCP_SERVERS).find((one) => one.name === name);
  if (!server)
    return failed(`The MCP server "${name}" is not declared or not trusted; \`hookline list\` shows the servers.`);
  const timeUp = AbortSignal.timeout(ability.timeoutMs);
  const limit = signal ? AbortSignal.any([signal, timeUp]) : timeUp;
  const notices: string[] = [];
  const servers = await connectServers([server], {
    projectRoot,
    env: environment.all,
    passEnv: system.getEngineOptions().passEnv,
    signal: limit,
    onNotice: (text) => notices.push(text),
    refusal: (one) => system.getRefusal(one),
  });
  try {
    const offered = servers.tools.find(({ mcpContext }) => mcpContext?.tool_name === tool);
    if (limit.aborted) throw limit.reason;
    if (!offered) return failed([`The MCP server "${name}" does not offer the tool "${tool}".`, ...notices].join("\n"));
    const context = { workspace: new Workspace(projectRoot), signal: limit };
    const wrong = await offered.validate(execution.input, context);
    if (wrong !== undefined) return failed(`The tool "${tool}" does not accept this input: ${wrong}.`);
    const call = (input: ToolArguments) => offered.execute(input, context);
    const { llmContent, error } = await executeToolWithHooks(config, offered.name, execution.input, call, {
      ability: false, // the ability's hooks have already run
      validate: (input) => offered.validate(input, context),
      signal: limit,
      ...(offered.mcpContext ? { mcpContext: offered.mcpContext } : {}),
      ...(approve ? { approve } : {}),
    });
    if (limit.aborted) throw limit.reason;
    return error ? failed(error.message, llmContent) : { status: "success", output: llmContent, changedFiles: [] };
  } catch (error) {
    if (signal?.aborted) return "aborted";
    if (timeUp.aborted) return failed(`It took longer than ${ability.timeoutMs} ms and was ended.`);
    throw error;
  } finally {
    await servers.close();
  }
}
