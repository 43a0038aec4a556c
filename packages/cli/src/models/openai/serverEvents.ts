/** The data of each server-sent event. What stands at the end without the empty line after it counts, too. */
export async function* serverEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const data: string[] = [];
  for await (const line of linesOf(body)) {
    if (line.startsWith("data:")) data.push(line.slice("data:".length).replace(/^ /, ""));
    else if (line === "" && data.length > 0) yield data.splice(0).join("\n");
  }
  if (data.length > 0) yield data.join("\n");
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.replace(/\r$/, "");
  }
  rest += decoder.decode();
  if (rest !== "") yield rest.replace(/\r$/, "");
}
