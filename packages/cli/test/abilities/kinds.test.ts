import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { PROJECT_FILE } from "../support/machine.ts";
import { stdioServer } from "../tools/mcpFixtures.ts";
import { AbilityProject } from "./abilityProject.ts";

interface Seen {
  readonly method: string | undefined;
  readonly body: string;
  readonly key: unknown;
}

/** An endpoint that answers what it is told to. */
async function endpoint(status: number, body: string, headers: Record<string, string> = {}) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    seen.push({ method: request.method, body: text, key: request.headers["x-key"] });
    if (status > 0) response.writeHead(status, headers).end(body); // else it never answers
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? portOf(address) : 0;
  return { url: `http://127.0.0.1:${port}/do`, seen };
}

const portOf = ({ port }: AddressInfo): number => port;

const calling = (url: string, more: object = {}, fields: object = {}) =>
  new AbilityProject({
    abilities: [{ id: "remote", fields: { implementation: { kind: "http", url, ...more }, ...fields } }],
  });

describe("an ability of kind http", () => {
  test("sends its input as JSON, with the variables it may have, and reads the answer like a script's", async () => {
    const { url, seen } = await endpoint(200, '{"status":"partial","output":{"rows":2}}');
    const project = calling(url, { method: "PUT", headers: { "x-key": `\${REMOTE_KEY}` }, pass_env: ["REMOTE_KEY"] });
    const ran = await project.json(["ability", "run", "remote", "--input", '{"a":1}'], { env: { REMOTE_KEY: "k1" } });
    expect(ran).toMatchObject({ code: 0, said: { status: "partial", output: { rows: 2 } } });
    expect(seen).toEqual([{ method: "PUT", body: '{"a":1}', key: "k1" }]);
  });

  test.each([
    ["answers with an error", 500, "out of order", {}, "status 500.\nout of order"],
    ["sends elsewhere", 302, "", { location: "http://127.0.0.1:9/" }, "status 302"],
    ["answers rubbish", 200, "{ rubbish", {}, "begins like JSON but is invalid"],
    ["never answers", 0, "", {}, "took longer than 500 ms"],
  ])("fails where the endpoint %s", async (_, status, body, headers, words) => {
    const { url } = await endpoint(status, body, headers);
    const project = calling(url, {}, { timeout: "500ms" });
    const { code, said } = await project.json(["ability", "run", "remote"]);
    expect({ code, said }).toMatchObject({
      code: 1,
      said: { status: "failure", error: expect.stringContaining(words) },
    });
  });

  test("fails where nothing listens", async () => {
    const { said } = await calling("http://127.0.0.1:9/").json(["ability", "run", "remote"]);
    expect(said).toMatchObject({ status: "failure", error: expect.stringContaining("nothing listens at 127.0.0.1:9") });
  });
});

describe("an ability of kind mcp", () => {
  const calls = (tool: string, fields: object = {}) =>
    new AbilityProject({
      abilities: [{ id: "remote", fields: { implementation: { kind: "mcp", server: "local", tool }, ...fields } }],
      files: { [PROJECT_FILE]: { mcpServers: { local: stdioServer() } } },
    });

  test("calls a tool of its server, started for that", async () => {
    const { code, said } = await calls("add").json(["ability", "run", "remote", "--input", '{"a":1,"b":2}']);
    expect({ code, said }).toMatchObject({ code: 0, said: { status: "success", output: '{"sum":3}' } });
  });

  test.each([
    ["there is no such tool", "no_such_tool", "{}", {}, 'does not offer the tool "no_such_tool"'],
    ["the tool does not take the input", "add", "{}", {}, "does not accept this input"],
    ["the tool fails", "fails", "{}", {}, "It did not work out."],
    ["it takes too long", "slow", '{"ms":600000}', { timeout: "4s" }, "took longer than 4000 ms"],
  ])("fails where %s", async (_, tool, input, fields, words) => {
    const { code, said } = await calls(tool, fields).json(["ability", "run", "remote", "--input", input]);
    expect({ code, said }).toMatchObject({
      code: 1,
      said: { status: "failure", error: expect.stringContaining(words) },
    });
  });
});
