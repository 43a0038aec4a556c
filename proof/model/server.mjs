import { createServer } from "node:http";
import { anthropic } from "./anthropic.mjs";
import { gemini } from "./gemini.mjs";
import { responses } from "./responses.mjs";

/**
 * @typedef {{ text: string } | { name: string, args: Record<string, unknown> }} Step What the model says: a text, or a call of a tool.
 *
 * @typedef {object} ModelRequest
 * @property {string} text The body as JSON, with nothing escaped that is not special.
 * @property {readonly string[]} results What the model reads as results of its tools.
 *
 * @typedef {object} Protocol
 * @property {(path: string) => boolean} takes
 * @property {(body: Record<string, any>) => boolean} isTurn Whether the agent asks for a step of its turn, not for a title or a summary.
 * @property {(body: Record<string, any>) => boolean} [mayCall] Whether the request allows tools to be called.
 * @property {(body: Record<string, any>) => readonly string[]} results
 * @property {(step: Step, index: number) => readonly object[]} events What is streamed.
 */

/** @type {readonly Protocol[]} */
const PROTOCOLS = [anthropic, gemini, responses];

/** A model's server on loopback that plays a script: a request with n results of tools gets step n, and later ones the last. */
export class FakeModel {
  /** What it was asked in the turn. @type {ModelRequest[]} */
  requests = [];
  #steps;
  #server = createServer((request, response) => this.#answer(request, response));

  /** @param {readonly Step[]} steps */
  constructor(steps) {
    this.#steps = steps;
  }

  /** @returns {Promise<string>} the URL */
  async start() {
    await new Promise((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  async #answer(request, response) {
    const path = new URL(request.url, "http://127.0.0.1").pathname;
    const protocol = PROTOCOLS.find(({ takes }) => takes(path));
    const body = parsed(await textOf(request));
    if (request.method !== "POST" || protocol === undefined || body === undefined) {
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
      return;
    }
    const index = this.requests.length;
    stream(response, protocol.events(this.#next(protocol, body), index));
  }

  #next(protocol, body) {
    if (!protocol.isTurn(body)) return { text: "Nothing to say." };
    const results = protocol.results(body);
    this.requests.push({ text: JSON.stringify(body), results });
    const last = this.#steps.length - 1;
    return this.#steps[protocol.mayCall?.(body) === false ? last : Math.min(results.length, last)];
  }
}

function stream(response, events) {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const event of events) {
    if (event.type) response.write(`event: ${event.type}\n`);
    response.write(`data: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}

async function textOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
