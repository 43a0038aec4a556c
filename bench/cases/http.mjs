import { Agent, request } from "node:http";
import { Worker } from "node:worker_threads";
import { measure, STEADY } from "../measure.mjs";
import { startOurs } from "../ours.mjs";
import { row } from "../row.mjs";

export const cases = [{ name: "http hook on loopback", run }];

async function run(name, dir) {
  const server = new Worker(new URL("../endpoint.mjs", import.meta.url));
  const port = await new Promise((resolve, reject) => server.once("message", resolve).once("error", reject));
  const url = `http://127.0.0.1:${port}/hook`;
  const engine = await startOurs({ dir, hooks: { BeforeTool: [{ hooks: [{ type: "http", url }] }] } });
  const ours = () => engine.beforeTool("write_file", { file_path: "a.txt", content: "x" });
  if ((await ours()).finalOutput?.decision !== "allow") throw new Error("the hook was not heard");
  const agent = new Agent({ keepAlive: true });
  const times = await measure({ ours, floor: () => postBare(port, agent) }, STEADY);
  await engine.dispose();
  agent.destroy();
  await server.terminate();
  return row(name, times, [["<= 1.5x a bare POST", times.ours <= times.floor * 1.5]]);
}

const BODY = JSON.stringify({
  session_id: "bench",
  transcript_path: "",
  cwd: "/tmp/hookline-bench",
  hook_event_name: "BeforeTool",
  timestamp: new Date().toISOString(),
  tool_name: "write_file",
  tool_input: { file_path: "a.txt", content: "x" },
  tool_call_id: "1",
});

/** The least an http hook can cost: a POST of the same size on a kept connection, its answer collected and parsed. */
function postBare(port, agent) {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(BODY) };
    const options = { method: "POST", hostname: "127.0.0.1", port, path: "/hook", agent, headers };
    const posted = request(options, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve(JSON.parse(text)));
    });
    posted.on("error", reject);
    posted.end(BODY);
  });
}
