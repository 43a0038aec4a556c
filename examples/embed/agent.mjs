// The loop of an agent, with its hooks asked at every step. session.mjs starts and ends it; world.mjs is what it acts on.
import * as hooks from "@hookline/engine";
import { callModel, declarations, history, note, notes, show, tell, tools, unknownTool } from "./world.mjs";

/** From a prompt to the reason why the turn ended. */
export async function takeTurn(config, prompt) {
  const before = await hooks.fireBeforeAgentHook(config, prompt);
  note(before);
  if (before.blocked) return before.reason;
  tell({ text: [before.prompt, before.additionalContext].filter(Boolean).join("\n\n") });
  if (before.stopped) return before.reason;
  for (let retries = 0; ; ) {
    const step = await askModel(config);
    if (step.end) return step.end;
    for (const call of step.calls) {
      const { stop } = await runTool(config, call, step.chosen);
      if (stop) return stop.reason;
    }
    if (step.calls.length > 0) continue;
    const turn = { prompt, promptResponse: step.text, stopHookActive: retries > 0 };
    const after = await hooks.fireAfterAgentHook(config, turn);
    note(after);
    if (!after.blocked || retries++ === hooks.MAX_AFTER_AGENT_RETRIES) return after.reason ?? "The turn is done.";
    tell({ text: after.reason });
  }
}

async function askModel(config) {
  const full = { model: "replay", contents: history, config: { tools: declarations } };
  const before = await hooks.fireBeforeModelHook(config, full);
  note(before);
  if (before.blocked && !before.syntheticResponse) return { end: before.reason };
  const noted = notes.splice(0).reduce(hooks.addSystemNote, before.modifiedRequest ?? full);
  const chosen = before.syntheticResponse ? {} : await hooks.fireBeforeToolSelectionHook(config, noted);
  note(chosen);
  if (chosen.stopped) return { end: chosen.reason };
  const { toolConfig, tools: offered } = { ...noted.config, ...chosen };
  const request = { ...noted, config: { ...noted.config, toolConfig, tools: offered } };
  const answer = before.syntheticResponse ?? (await callModel(request));
  const after = await hooks.fireAfterModelHook(config, request, answer);
  note(after);
  const { content } = after.response.candidates[0];
  history.push(content);
  const text = content.parts.map((part) => part.text ?? "").join("");
  if (text) show("model", text);
  const end = after.blocked || after.stopped ? after.reason : before.blocked ? before.reason : undefined;
  return { end, text, chosen, calls: content.parts.flatMap(({ functionCall }) => functionCall ?? []) };
}

async function runTool(config, { name, args }, chosen) {
  show("model", `${name}(${JSON.stringify(args)})`);
  const execute = hooks.isToolAllowed(chosen, name) ? tools[name] : undefined;
  const result = await hooks.executeToolWithHooks(config, name, args, execute ?? unknownTool);
  const told = result.error?.message ?? result.llmContent;
  show("tool", told);
  tell({ functionResponse: { name, response: { output: told } } });
  return result;
}
