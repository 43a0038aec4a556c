import { GrowingBuffer } from "./growingBuffer.ts";
import { ModelError } from "./modelError.ts";
import { notAnAnswer, type Service, sentence } from "./service.ts";

const MEBIBYTE = 1024 ** 2;
/** Sizes are of what arrives after decompression. */
export const MAX_ANSWER_BYTES = 64 * MEBIBYTE;
export const MAX_LINE_BYTES = 16 * MEBIBYTE;
/** Every event is kept until the answer is complete. */
const MAX_EVENTS = 200_000;

type Body = AsyncIterable<Uint8Array> | null;

/** All of a body that comes in one piece. */
export async function readBody(service: Service, body: Body): Promise<string> {
  const all = new GrowingBuffer();
  for await (const bytes of bounded(service, body)) all.add(bytes);
  const text = all.take();
  if (text.trimStart().startsWith("<")) throw notAnAnswer(service, "a web page");
  return text;
}

/** The data of each server-sent event. What stands at the end without the empty line after it counts, too. */
export async function* serverEvents(service: Service, body: Body): AsyncGenerator<string> {
  let data: string[] = [];
  let [size, events, stray] = [0, 0, ""];
  for await (const line of linesOf(service, body)) {
    if (line.startsWith("data:")) {
      size += line.length;
      if (size > MAX_LINE_BYTES) throw tooMuch(service, "an event of more than 16 MB");
      data.push(line.slice("data:".length).replace(/^ /, ""));
    } else if (line === "" && data.length > 0) {
      events += 1;
      if (events > MAX_EVENTS) throw tooMuch(service, `more than ${MAX_EVENTS} events`);
      yield data.join("\n");
      [data, size] = [[], 0];
    } else if (stray === "" && !/^(?:$|:|event|id|retry)/.test(line)) stray = line;
  }
  if (data.length > 0) yield data.join("\n");
  else if (events === 0 && stray !== "") throw notAnAnswer(service, stray.startsWith("<") ? "a web page" : stray);
}

async function* linesOf(service: Service, body: Body): AsyncGenerator<string> {
  const line = new GrowingBuffer();
  const take = () => line.take().replace(/\r$/, "");
  for await (const bytes of bounded(service, body)) {
    let from = 0;
    for (let to = bytes.indexOf(10); to !== -1; to = bytes.indexOf(10, from)) {
      line.add(bytes.subarray(from, to));
      if (line.length > MAX_LINE_BYTES) throw tooMuch(service, "a line of more than 16 MB");
      yield take();
      from = to + 1;
    }
    line.add(bytes.subarray(from));
    if (line.length > MAX_LINE_BYTES) throw tooMuch(service, "a line of more than 16 MB");
  }
  if (line.length > 0) yield take();
}

async function* bounded(service: Service, body: Body): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const bytes of body ?? []) {
    size += bytes.length;
    if (size > MAX_ANSWER_BYTES) throw tooMuch(service, "an answer of more than 64 MB");
    yield bytes;
  }
}

/** The next attempt would bring the same. */
function tooMuch(service: Service, what: string): ModelError {
  const next = "Check that the address is the one of your model.";
  return new ModelError({ what: sentence(service, `${service.name} sent ${what}, which is not read`), next });
}
