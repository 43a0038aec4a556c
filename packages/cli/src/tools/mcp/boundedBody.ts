import { MAX_ANSWER_BYTES, MAX_LINE_BYTES } from "../../models/answerBody.ts";
import { GrowingBuffer } from "../../models/growingBuffer.ts";

const LINE_FEED = 10;
const RETURN = 13;
/** The SDK reads only the headers of redirects, and needs their URL, which a copy of the response lacks. */
const isRedirect = (status: number) => status >= 300 && status < 400;

/** Limits the body of a server's response like a model's answer: beyond that, the body fails and `onExcess` gets the reason. */
export function withinBounds(response: Response, method: string, onExcess: (what: string) => void): Response {
  if (response.body === null || isRedirect(response.status)) return response;
  const isStream = response.headers.get("content-type")?.includes("text/event-stream") === true;
  const exceeded = (what: string) => {
    onExcess(what);
    return new Error(what);
  };
  // A GET stream lasts as long as the session, so limit only its events.
  const total = method === "GET" ? [] : [totalBound(exceeded)];
  const bounds = isStream ? [...total, eventBound(exceeded)] : total;
  const body = bounds.reduce((stream, bound) => stream.pipeThrough(bound), response.body);
  return new Response(body, response);
}

type Bound = TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>;

function totalBound(exceeded: (what: string) => Error): Bound {
  let size = 0;
  return new TransformStream({
    transform(bytes, controller) {
      size += bytes.length;
      if (size > MAX_ANSWER_BYTES) throw exceeded("it sent an answer of more than 64 MB");
      controller.enqueue(bytes);
    },
  });
}

/** Passes whole lines on: the SDK's parser scans an unfinished line again with every piece of it. */
function eventBound(exceeded: (what: string) => Error): Bound {
  const unfinished = new GrowingBuffer();
  let [eventBytes, lineBytes, last] = [0, 0, 0];
  const endLine = () => {
    if (lineBytes === 0) eventBytes = 0;
    lineBytes = 0;
  };
  return new TransformStream({
    transform(bytes, controller) {
      let finished = 0;
      for (const [at, byte] of bytes.entries()) {
        if (byte !== LINE_FEED && byte !== RETURN) {
          lineBytes += 1;
          eventBytes += 1;
        } else {
          if (byte === RETURN || last !== RETURN) endLine();
          finished = at + 1;
        }
        last = byte;
      }
      if (eventBytes > MAX_LINE_BYTES) throw exceeded("it sent an event of more than 16 MB");
      if (finished > 0) {
        unfinished.add(bytes.subarray(0, finished));
        controller.enqueue(unfinished.takeBytes());
      }
      unfinished.add(bytes.subarray(finished));
    },
    flush: (controller) => controller.enqueue(unfinished.takeBytes()),
  });
}
