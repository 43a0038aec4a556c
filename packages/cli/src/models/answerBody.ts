import { createParser } from "eventsource-parser";
import { GrowingBuffer } from "./growingBuffer.ts";
import { ModelError } from "./modelError.ts";
import { notAnAnswer, type Service, sentence } from "./service.ts";

const MEBIBYTE = 1024 ** 2;
/** All sizes are after decompression. */
export const MAX_ANSWER_BYTES = 64 * MEBIBYTE;
export const MAX_LINE_BYTES = 16 * MEBIBYTE;
/** Bounds memory: all events are kept until the answer is complete. */
const MAX_EVENTS = 200_000;
/** The parser makes an error of each line that belongs to no event, which takes microseconds. */
const MAX_STRAY_LINES = 200_000;
const PIECE_BYTES = 8 * 1024;

type Body = AsyncIterable<Uint8Array> | null;

/** Reads the whole body. */
export async function readBody(service: Service, body: Body): Promise<string> {
  const all = new GrowingBuffer();
  for await (const bytes of bounded(service, body)) all.add(bytes);
  const text = all.take();
  if (text.trimStart().startsWith("<")) throw notAnAnswer(service, "a web page");
  return text;
}

/** Yields the data of each server-sent event. A last event without a trailing empty line counts too. */
export async function* serverEvents(service: Service, body: Body): AsyncGenerator<string> {
  const found: string[] = [];
  let [events, strays, stray] = [0, 0, ""];
  const parser = createParser({
    maxBufferSize: MAX_LINE_BYTES,
    onEvent: ({ data }) => found.push(data),
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") throw tooMuch(service, "an event of more than 16 MB");
      stray ||= error.line ?? "";
      strays += 1;
      if (strays > MAX_STRAY_LINES)
        throw tooMuch(service, `more than ${MAX_STRAY_LINES} lines that belong to no event`);
    },
  });
  for await (const text of textOf(bounded(service, body))) {
    parser.feed(text);
    events += found.length;
    if (events > MAX_EVENTS) throw tooMuch(service, `more than ${MAX_EVENTS} events`);
    yield* found.splice(0);
  }
  parser.feed("\n\n");
  yield* found;
  if (events + found.length === 0 && stray !== "") {
    throw notAnAnswer(service, stray.startsWith("<") ? "a web page" : stray);
  }
}

/** Yields short pieces: for each line the parser scans the rest of its piece for both line ends. */
async function* textOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      yield decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: true });
    }
  }
  yield decoder.decode();
}

async function* bounded(service: Service, body: Body): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const bytes of body ?? []) {
    size += bytes.length;
    if (size > MAX_ANSWER_BYTES) throw tooMuch(service, "an answer of more than 64 MB");
    yield bytes;
  }
}

/** Not transient: the next attempt would fail too. */
function tooMuch(service: Service, what: string): ModelError {
  const next = "Check that the address is the one of your model.";
  return new ModelError({ what: sentence(service, `${service.name} sent ${what}, which is not read`), next });
}
