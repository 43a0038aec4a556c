/** Anthropic's `/v1/messages`. @type {import("./server.mjs").Protocol} */
export const anthropic = {
  takes: (path) => path === "/v1/messages",
  isTurn: ({ tools = [] }) => tools.length > 0,
  results: ({ messages }) =>
    messages
      .flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .filter(({ type }) => type === "tool_result")
      .map(({ content }) => (typeof content === "string" ? content : content.map(({ text = "" }) => text).join(""))),
  events: (step, index) => {
    const usage = { input_tokens: 10, output_tokens: 10 };
    const message = { id: `msg_${index}`, type: "message", role: "assistant", model: "fake", content: [], usage };
    const [block, delta, reason] = spoken(step, index);
    return [
      { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 10 } },
      { type: "message_stop" },
    ];
  },
};

function spoken(step, index) {
  if ("text" in step) return [{ type: "text", text: "" }, { type: "text_delta", text: step.text }, "end_turn"];
  const block = { type: "tool_use", id: `toolu_${index}`, name: step.name, input: {} };
  return [block, { type: "input_json_delta", partial_json: JSON.stringify(step.args) }, "tool_use"];
}
