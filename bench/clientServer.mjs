// A daemon in a thread of its own, which answers each call of the native client with its payload.
import { rmSync } from "node:fs";
import { createServer } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { answerFrame, RequestReader } from "../packages/cli/dist/daemon/wire.js";

const server = createServer((socket) => {
  const reader = new RequestReader();
  socket.on("data", (chunk) => {
    const request = reader.push(chunk);
    if (request !== undefined) socket.end(answerFrame({ exitCode: 0, stdout: request.payload, stderr: "" }));
  });
});
rmSync(workerData, { force: true });
server.listen(workerData, () => parentPort.postMessage("ready"));
