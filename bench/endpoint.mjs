// An endpoint in a thread of its own: reads the input, then allows.
import { createServer } from "node:http";
import { parentPort } from "node:worker_threads";

const ANSWER = JSON.stringify({ decision: "allow" });
const HEADERS = { "content-type": "application/json", "content-length": Buffer.byteLength(ANSWER) };

const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.writeHead(200, HEADERS).end(ANSWER));
});
server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
