/** Gemini's `streamGenerateContent`. @type {import("./server.mjs").Protocol} */
export const gemini = {
  takes: (path) => path.endsWith(":streamGenerateContent"),
  isTurn: ({ tools = [] }) => tools.length > 0,
  mayCall: ({ toolConfig }) => toolConfig?.functionCallingConfig?.mode !== "NONE",
  results: ({ contents }) =>
    contents
      .flatMap(({ parts = [] }) => parts)
      .filter(({ functionResponse }) => functionResponse !== undefined)
      .map(({ functionResponse: { response } }) =>
        String(response.error ?? response.output ?? JSON.stringify(response)),
      ),
  events: (step, index) => [
    {
      candidates: [{ index: 0, content: { role: "model", parts: [partOf(step, index)] }, finishReason: "STOP" }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
      modelVersion: "fake",
    },
  ],
};

function partOf(step, index) {
  if ("text" in step) return { text: step.text };
  return { functionCall: { id: `call_${index}`, name: step.name, args: step.args } };
}
