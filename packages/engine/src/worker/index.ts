export { type Call, serve, type WorkerHook, type WorkerHooks } from "./serve.ts";
