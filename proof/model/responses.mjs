/** OpenAI's `/v1/responses`. @type {import("./server.mjs").Protocol} */
export const responses = {
  takes: (path) => path === "/v1/responses",
  isTurn: ({ tools = [] }) => tools.length > 0,
  results: ({ input }) =>
    input
      .filter(({ type }) => String(type).endsWith("_call_output"))
      .map(({ output }) => (typeof output === "string" ? output : JSON.stringify(output))),
  events: (step, index) => {
    const response = { id: `resp_${index}`, object: "response", status: "in_progress", output: [] };
    const item = itemOf(step, index);
    return [
      { type: "response.created", response },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.done", output_index: 0, item },
      {
        type: "response.completed",
        response: { ...response, status: "completed", output: [item], usage: USAGE },
      },
    ];
  },
};

const USAGE = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 20,
};

function itemOf(step, index) {
  const id = `item_${index}`;
  if ("text" in step) {
    const content = [{ type: "output_text", text: step.text, annotations: [] }];
    return { id, type: "message", role: "assistant", status: "completed", content };
  }
  const called = { id, call_id: `call_${index}`, name: step.name, status: "completed" };
  if ("patch" in step.args) return { ...called, type: "custom_tool_call", input: step.args.patch };
  return { ...called, type: "function_call", arguments: JSON.stringify(step.args) };
}
