// The other side of `apart`: sets the operation up, then times batches of it on request.
import { parentPort, workerData } from "node:worker_threads";
import { timeHere } from "./apart.mjs";

const { module, setup, args } = workerData;
const operation = await (await import(module))[setup](...args);
parentPort.on("message", async (batch) => parentPort.postMessage(await timeHere(operation, batch)));
parentPort.postMessage("ready");
