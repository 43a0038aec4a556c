// A policy service: `node endpoint.mjs` runs it, `node endpoint.mjs <command>` runs it for as long as the command takes.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

const server = createServer(async (request, response) => {
  const isKnown = request.headers.authorization === `Bearer ${process.env.POLICY_TOKEN ?? "demo"}`;
  const answer = isKnown ? decide(await json(request)) : { error: "who are you?" };
  response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" }).end(JSON.stringify(answer));
});

function decide({ tool_input: { file_path = "" } }) {
  if (!/(^|\/)\.env/.test(file_path)) return {};
  return { decision: "deny", reason: `${file_path} is written by people only.` };
}

server.listen(Number(process.env.PORT ?? 8765), "127.0.0.1", () => {
  const [program, ...args] = process.argv.slice(2);
  if (program) spawn(program, args, { stdio: "inherit" }).on("exit", (code) => process.exit(code ?? 1));
  else console.log(`listening at http://127.0.0.1:${server.address().port}`);
});
