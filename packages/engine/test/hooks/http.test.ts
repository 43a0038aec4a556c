import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { SettingsConfig } from "../../src/hooks/config.ts";
import { endpoint, json, rawEndpoint } from "../support/endpoint.ts";
import { eventually, openDescriptors } from "../support/fixtures.ts";
import { CALL, temporaryFolder, testSystem } from "../support/system.ts";

const httpHook = (url: string, fields: Record<string, unknown> = {}) => ({
  BeforeTool: [{ hooks: [{ type: "http", name: "hook", url, timeout: "10s", ...fields }] }],
});

async function fireAt(url: string, fields: Record<string, unknown> = {}) {
  const started = await testSystem(httpHook(url, fields));
  const result = await started.handler.fireBeforeToolEvent(CALL);
  return { ...started, result, ended: started.recorded("hookEnded")[0] };
}

/** A user's own hook, with a user's own options. */
async function userSystem(hooks: unknown, hooksConfig: unknown = {}) {
  const [dir, home] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(home, ".hookline"));
  writeFileSync(join(home, ".hookline/settings.json"), JSON.stringify({ hooks, hooksConfig }));
  const config = new SettingsConfig({ workingDir: dir, homeDir: home, systemFile: join(home, "none") });
  const system = config.getHookSystem();
  if (!system) throw new Error("hooks are on");
  onTestFinished(() => system.dispose());
  await system.initialize();
  return { system, handler: system.getEventHandler() };
}

function setVariable(name: string, value: string): void {
  process.env[name] = value;
  onTestFinished(() => void delete process.env[name]);
}

const allow = { decision: "allow" };
const deny = { decision: "deny", reason: "not today" };
const DENIED = { decision: "block", reason: "not today" };

describe("a request", () => {
  test("is a POST of the input as JSON, and the answer counts", async () => {
    const { url, seen } = await endpoint((response) => json(response, deny));
    const { result } = await fireAt(url, { headers: { "X-Team": "blue" } });
    expect(result).toMatchObject({ success: true, errors: [], finalOutput: DENIED });
    expect(seen).toMatchObject([
      {
        method: "POST",
        path: "/hook",
        headers: { "content-type": "application/json", accept: "application/json", "x-team": "blue" },
      },
    ]);
    expect(JSON.parse(seen[0]?.body ?? "")).toMatchObject({ hook_event_name: "BeforeTool", tool_name: "write_file" });
  });

  test("keeps its connection for the next one, and five at once take five", async () => {
    const { url, connections } = await endpoint((response) => json(response, allow));
    const { handler } = await fireAt(url);
    for (const _ of [1, 2, 3]) await handler.fireBeforeToolEvent(CALL);
    expect(connections.size).toBe(1);
    await Promise.all([1, 2, 3, 4, 5].map(() => handler.fireBeforeToolEvent(CALL)));
    expect(connections.size).toBe(5);
  });

  test("to localhost goes to this machine, whatever a name server says", async () => {
    const { port } = await endpoint((response) => json(response, deny));
    expect((await fireAt(`http://LOCALHOST:${port}/hook`)).result.finalOutput).toMatchObject(DENIED);
  });

  const hasIpv6 = Object.values(networkInterfaces()).some((found) => found?.some(({ address }) => address === "::1"));
  test.runIf(hasIpv6)("finds an endpoint on ::1 by that address and by localhost", async () => {
    const { port } = await endpoint((response) => json(response, deny), { host: "::1" });
    for (const host of ["[::1]", "localhost"]) {
      expect((await fireAt(`http://${host}:${port}/hook`)).result.finalOutput).toMatchObject(DENIED);
    }
  });

  test("an endpoint that has nothing to say answers with an empty body", async () => {
    const { url } = await endpoint((response) => void response.writeHead(204).end());
    const { result } = await fireAt(url);
    expect(result).toMatchObject({ success: true, errors: [] });
    expect(result.finalOutput).toBeUndefined();
  });

  test("the same url with the same headers is asked once, with other headers again", async () => {
    const { url, seen } = await endpoint((response) => json(response, allow));
    const hook = (headers?: Record<string, string>) => ({ type: "http", url, ...(headers ? { headers } : {}) });
    const hooks = [hook(), hook(), hook({ a: "1" }), hook({ A: "1" }), hook({ a: "2" })];
    const { handler } = await testSystem({ BeforeTool: [{ hooks }] });
    await handler.fireBeforeToolEvent(CALL);
    expect(seen.map(({ headers }) => headers.a).sort()).toEqual(["1", "2", undefined]);
  });
});

const PAGE = "<!doctype html><title>Sign in</title><p>Please sign in to the network.</p>";
const MEGABYTE = "x".repeat(1024 * 1024);

describe("an endpoint that fails lets the agent go on, unless the hook says onError: block", () => {
  const endpoints: Record<string, () => Promise<{ readonly url: string }>> = {
    refuses: async () => {
      const { server, url } = await endpoint(() => {});
      await new Promise((resolve) => server.close(resolve));
      return { url };
    },
    hangs: () => endpoint(() => {}),
    "answers 500": () => endpoint((response) => json(response, { error: "down" }, 500)),
    "answers 404 with a page": () => endpoint((response) => void response.writeHead(404).end(PAGE)),
    "answers 302": () => endpoint((response) => void response.writeHead(302, { location: "/other" }).end()),
    "answers with a page": () => endpoint((response) => void response.end(PAGE)),
    "answers with half of an object": () => endpoint((response) => void response.end('{"systemMessage": "he')),
    "answers with a list": () => endpoint((response) => json(response, ["deny"])),
    "feeds its answer in drops": () =>
      endpoint((response) => {
        response.write('{"systemMessage": "');
        const drip = setInterval(() => response.write("."), 20);
        response.on("close", () => clearInterval(drip));
      }),
    "closes in the middle of its answer": () =>
      endpoint((response) => {
        response.writeHead(200, { "content-length": 100 });
        response.write('{"systemMessage": "he', () => response.destroy());
      }),
    "closes in the middle of a chunk": () =>
      endpoint((response) => void response.write('{"systemMessage": "he', () => response.destroy())),
    "closes without an answer": () => endpoint((response) => response.destroy()),
    "speaks another protocol": () => rawEndpoint((socket) => void socket.end("SSH-2.0-OpenSSH_9.6\r\n")),
    "sends a chunk that is none": () =>
      rawEndpoint((socket) => void socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzzz\r\n")),
    "has a name that nobody has": async () => ({ url: "https://no-such-host.invalid/hook" }),
  };

  test.each([
    ["refuses", "notStarted", /nothing listens at 127\.0\.0\.1:\d+/],
    ["hangs", "timedOut", /timed out after 400 ms/],
    ["answers 500", "status", /answered with HTTP status 500$/],
    ["answers 404 with a page", "status", /answered with HTTP status 404$/],
    ["answers 302", "status", /HTTP status 302; redirects are not followed/],
    ["answers with a page", "badAnswer", /text that is not a JSON object/],
    ["answers with half of an object", "badAnswer", /not valid JSON/],
    ["answers with a list", "badAnswer", /an array, not an object/],
    ["feeds its answer in drops", "timedOut", /timed out after 400 ms/],
    ["closes in the middle of its answer", "badAnswer", /broke off in the middle of its answer/],
    ["closes in the middle of a chunk", "badAnswer", /broke off in the middle of its answer/],
    ["closes without an answer", "notStarted", /closed the connection before it answered/],
    ["speaks another protocol", "notStarted", /did not answer with valid HTTP/],
    ["sends a chunk that is none", "badAnswer", /broke off in the middle of its answer/],
    ["has a name that nobody has", "notStarted", /no-such-host\.invalid/],
  ])("one that %s", async (name, kind, message) => {
    const { url } = (await endpoints[name]?.()) ?? { url: "" };
    const timeout = kind === "timedOut" ? "400ms" : "15s";
    const open = await fireAt(url, { timeout });
    expect(open.ended?.failure).toMatchObject({ kind, message: expect.stringMatching(message) });
    expect(open.result).toMatchObject({ success: false, errors: [{ code: "HOOK_FAILED", hook: "hook" }] });
    expect(open.result.finalOutput).toBeUndefined();
    const closed = await fireAt(url, { timeout, onError: "block" });
    expect(closed.result.finalOutput).toMatchObject({
      decision: "block",
      reason: expect.stringMatching(/^Hook "hook" .*set to block on failure$/),
    });
  });

  test("one that answers with 100 MB is cut off at the limit, at once", async () => {
    let sent = 0;
    const { url } = await endpoint(async (response) => {
      response.write('{"systemMessage": "');
      for (; sent < 100 && !response.destroyed; sent += 1) {
        if (!response.write(MEGABYTE)) {
          await new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
        }
      }
      response.end('"}');
    });
    const { ended } = await fireAt(url);
    expect(ended?.failure?.message).toContain("more than outputLimit");
    expect(ended?.ending).toMatchObject({ kind: "responded", truncated: "tooLong" });
    expect(ended?.ending.kind === "responded" && ended.ending.body.length).toBe(1024 * 1024);
    expect(sent).toBeLessThan(50);
  });

  test("the caller's abort ends the request, ignores onError, and closes the connection", async () => {
    const { url, connections } = await endpoint(() => {});
    const { handler, recorded } = await testSystem(httpHook(url, { onError: "block" }));
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 100);
    const result = await handler.fireBeforeToolEvent(CALL, { signal: abort.signal });
    expect(recorded("hookEnded")[0]?.failure?.kind).toBe("aborted");
    expect(result).toMatchObject({ errors: [{ code: "ABORTED" }], finalOutput: { continue: false } });
    await eventually(() => [...connections].every((socket) => socket.destroyed));
  });
});

describe("an objection that can be read is never lost", () => {
  const text = JSON.stringify(deny);
  test.each<[string, string, Parameters<typeof endpoint>[0]]>([
    ["with status 500", "status", (response) => json(response, deny, 500)],
    ["and then hangs", "timedOut", (response) => void response.write(text)],
    [
      "and then breaks off",
      "badAnswer",
      (response) => {
        response.writeHead(200, { "content-length": 500 });
        response.write(text, () => response.destroy());
      },
    ],
    ["in half of an object", "badAnswer", (response) => void response.end(text.slice(0, -1))],
    [
      "before a megabyte too many",
      "badAnswer",
      (response) => void response.end(`${text.slice(0, -1)},"x":"${MEGABYTE}"}`),
    ],
  ])("one %s", async (_, kind, answer) => {
    const { url } = await endpoint(answer);
    const { result, ended } = await fireAt(url, { timeout: kind === "timedOut" ? "2s" : "15s" });
    expect(ended?.failure?.kind).toBe(kind);
    expect(result).toMatchObject({ success: false, finalOutput: DENIED });
  });
});

describe("kept connections", () => {
  test("one that was closed while it was idle is replaced", async () => {
    const { url, server, connections } = await endpoint((response) => json(response, deny));
    const { handler } = await fireAt(url);
    server.closeIdleConnections();
    expect((await handler.fireBeforeToolEvent(CALL)).finalOutput).toMatchObject(DENIED);
    expect(connections.size).toBe(2);
  });

  test("one that is closed as the next request arrives is replaced too, once", async () => {
    const used = new WeakSet<object>();
    let broken = false;
    const { url, seen, connections } = await endpoint((response, { socket }) => {
      if (broken || used.has(socket)) return void socket.destroy();
      used.add(socket);
      json(response, deny);
    });
    const { handler, recorded } = await fireAt(url);
    expect((await handler.fireBeforeToolEvent(CALL)).finalOutput).toMatchObject(DENIED);
    expect([seen.length, connections.size]).toEqual([3, 2]);
    await handler.fireBeforeToolEvent(CALL);
    broken = true;
    seen.length = 0;
    await handler.fireBeforeToolEvent(CALL);
    expect(seen).toHaveLength(2); // on the kept connection, and on one of its own
    expect(recorded("hookEnded").at(-1)?.failure?.kind).toBe("notStarted");
  });

  test("disposing of the system closes them, and leaves no descriptor", async () => {
    const { url, connections } = await endpoint((response) => json(response, allow));
    const before = openDescriptors();
    const { handler, system } = await fireAt(url);
    await Promise.all([1, 2, 3].map(() => handler.fireBeforeToolEvent(CALL)));
    await system.dispose();
    await eventually(() => [...connections].every((socket) => socket.destroyed));
    await eventually(() => expect(openDescriptors()).toBeLessThanOrEqual(before));
  });
});

const certificate = (name: string) => fileURLToPath(new URL(`../fixtures/http/${name}`, import.meta.url));
const TLS = {
  key: readFileSync(certificate("self-signed.key.pem"), "utf8"),
  cert: readFileSync(certificate("self-signed.cert.pem"), "utf8"),
};

/** Runs the built engine in a program of its own, which fires one event and falls off its end. */
async function embed(url: string, env: Record<string, string> = {}) {
  const script = fileURLToPath(new URL("./httpEmbedder.mjs", import.meta.url));
  const program = spawn(process.execPath, [script, url], { env: { ...process.env, ...env } });
  const code = new Promise((resolve) => program.on("exit", resolve));
  return { printed: (await text(program.stdout)).trim(), code: await code };
}

test.each(["http", "https"])("an idle %s connection does not keep a program alive", async (scheme) => {
  const { url } = await endpoint((response) => json(response, deny), scheme === "https" ? { tls: TLS } : {});
  const ended = await embed(url, { NODE_EXTRA_CA_CERTS: certificate("self-signed.cert.pem") });
  expect(ended).toEqual({ printed: "not today", code: 0 });
});

test("a certificate that nobody vouches for is refused, also where a variable of Node says otherwise", async () => {
  const { url } = await endpoint((response) => json(response, deny), { tls: TLS });
  const { ended } = await fireAt(url);
  expect(ended?.failure).toMatchObject({ kind: "notStarted", message: expect.stringContaining("is not accepted") });
  const { printed } = await embed(url, { NODE_TLS_REJECT_UNAUTHORIZED: "0" });
  expect(printed).toContain("is not accepted");
});

describe("what may be called", () => {
  test.each([
    ["not a url", "is not a url"],
    ["ftp://127.0.0.1/x", 'The protocol "ftp:" is not supported'],
    ["file:///etc/passwd", 'The protocol "file:" is not supported'],
    ["http://127.0.0.1@evil.example/", "a user name or a password before its host"],
    ["http://localhost:80@evil.example/", "a user name or a password before its host"],
    ["https://me:secret@example.org/", "a user name or a password before its host"],
    [`https://example.org/\${TOKEN}`, "not replaced in a url"],
  ])("%s is an error at load, with its place", async (url, what) => {
    const { system, handler } = await testSystem(httpHook(url, { onError: "block" }));
    expect(system.getStatus().problems).toMatchObject([
      {
        severity: "error",
        code: "CONFIG_INVALID",
        where: { line: expect.any(Number) },
        what: expect.stringContaining(what),
      },
    ]);
    expect((await handler.fireBeforeToolEvent(CALL)).finalOutput?.reason).toContain(what);
  });

  test.each([
    "http://127.0.0.1.evil.example/",
    "http://localhost.evil.example/",
    "http://localhost./",
    "http://evil.example/127.0.0.1",
    "http://evil.example#127.0.0.1",
    "http://[::ffff:127.0.0.1]/",
    "http://0.0.0.0/",
    "http://128.0.0.1/",
  ])("%s is not called, and load and run say what to write where", async (url) => {
    const { system, result } = await fireAt(url, { onError: "block" });
    const { host, origin } = new URL(url);
    const what = `${origin} is neither https nor on this machine, so it is not called.`;
    const next = `Use https, or write "hooksConfig": { "http": { "allowHosts": ["${host}"] } } into ~/.hookline/settings.json.`;
    expect(system.getStatus().problems).toMatchObject([{ severity: "warning", what, next }]);
    expect(result.finalOutput?.reason).toContain(`${what} ${next}`);
  });

  test.each([
    ["http://example.org/", ["example.org"], true],
    ["http://EXAMPLE.org/", ["Example.ORG"], true],
    ["http://example.org:8080/", ["example.org"], true],
    ["http://example.org:8080/", ["example.org:8080"], true],
    ["http://example.org/", ["example.org:80"], true],
    ["http://example.org:8080/", ["example.org:80"], false],
    ["http://example.org/", ["ample.org", "org", "*", "*.org", ""], false],
    ["http://a.example.org/", ["example.org"], false],
    ["http://example.org.evil.example/", ["example.org"], false],
    ["http://evil.example/", ["example.org@evil.example", "evil.example/x", "http://evil.example"], false],
    ["http://[fe80::1]:9/", ["[fe80::1]"], true],
    ["http://0x7f.1/", [], true],
    ["http://2130706433/", [], true],
  ])("%s with allowHosts %j: %s", async (url, allowHosts, allowed) => {
    const { system } = await userSystem(httpHook(url), { http: { allowHosts: allowHosts.filter((entry) => entry) } });
    expect(system.getStatus().problems.map(({ what }) => what)).toEqual(
      allowed ? [] : [expect.stringContaining("is not called")],
    );
  });

  test("a host that the user allows is called", async () => {
    const { port } = await endpoint((response) => json(response, deny));
    const { handler } = await userSystem(httpHook(`http://0.0.0.0:${port}/`), { http: { allowHosts: ["0.0.0.0"] } });
    expect((await handler.fireBeforeToolEvent(CALL)).finalOutput).toMatchObject(DENIED);
  });
});

describe("variables in headers", () => {
  const headers = { authorization: `Bearer \${HOOK_TOKEN}` };

  test("are replaced for names in the hook's passEnv, and in the user's", async () => {
    setVariable("HOOK_TOKEN", "s3cret");
    const { url, seen } = await endpoint((response) => json(response, allow));
    await fireAt(url, { headers, passEnv: ["HOOK_TOKEN"] });
    const { handler } = await userSystem(httpHook(url, { headers }), { passEnv: ["HOOK_TOKEN"] });
    await handler.fireBeforeToolEvent(CALL);
    expect(seen.map((one) => one.headers.authorization)).toEqual(["Bearer s3cret", "Bearer s3cret"]);
  });

  test("are those of the program at start", async () => {
    setVariable("HOOK_TOKEN", "first");
    const { url, seen } = await endpoint((response) => json(response, allow));
    const { handler } = await testSystem(httpHook(url, { headers, passEnv: ["HOOK_TOKEN"] }));
    process.env.HOOK_TOKEN = "second";
    await handler.fireBeforeToolEvent(CALL);
    expect(seen[0]?.headers.authorization).toBe("Bearer first");
  });

  test("that passEnv does not name make the hook fail and nothing is sent; load says so too", async () => {
    setVariable("HOOK_TOKEN", "s3cret");
    const { url, seen } = await endpoint((response) => json(response, allow));
    const { system, result } = await fireAt(url, { headers, onError: "block" });
    const what = `Its headers use \${HOOK_TOKEN}, which passEnv does not name.`;
    expect(system.getStatus().problems).toMatchObject([{ severity: "warning", what }]);
    expect(result.finalOutput?.reason).toContain(what);
    expect(JSON.stringify(result)).not.toContain("s3cret");
    expect(seen).toEqual([]);
  });

  test.each([
    ["that are not set", undefined, "is not set"],
    ["that are empty", "", "is not set"],
    ["whose value would begin another header", "a\r\nx-evil: 1", "cannot be sent in a header"],
  ])("%s make the hook fail and nothing is sent", async (_, value, message) => {
    if (value !== undefined) setVariable("HOOK_TOKEN", value);
    const { url, seen } = await endpoint((response) => json(response, allow));
    const { ended } = await fireAt(url, { headers, passEnv: ["HOOK_TOKEN"] });
    expect(ended?.failure).toMatchObject({ kind: "notStarted", message: expect.stringContaining(message) });
    expect(seen).toEqual([]);
  });

  test.each([
    [{ "x-a": "a\r\nx-evil: 1" }, "has a value that cannot be sent"],
    [{ "x a": "1" }, "has an invalid name"],
    [{ "Content-Length": "3" }, "cannot be set here"],
    [{ Host: "evil.example" }, "cannot be set here"],
    [{ "x-a": "1", "X-A": "2" }, "appears twice"],
    [{ "x-a": `\${HOOK_TOKEN:-none}` }, "begins no variable"],
    [{ "x-a": 1 }, '"headers" cannot be'],
  ])("%j is an error at load", async (wrong, what) => {
    const { system } = await testSystem(httpHook("https://example.org/", { headers: wrong }));
    expect(system.getStatus().problems).toMatchObject([{ severity: "error", what: expect.stringContaining(what) }]);
  });

  test("an environment means nothing to an endpoint, and whoever sets one is told", async () => {
    const { system } = await testSystem(httpHook("https://example.org/", { env: { A: "1" } }));
    expect(system.getStatus().problems).toMatchObject([{ what: '"env" has no meaning for a hook of type "http".' }]);
  });
});

test("a hook that does not block is not waited for, and settling waits for it", async () => {
  const { url, seen } = await endpoint(async (response) => {
    await sleep(100);
    json(response, deny);
  });
  const { system, result } = await fireAt(url, { blocking: false });
  expect(result.finalOutput).toBeUndefined();
  await system.settle();
  expect(seen).toHaveLength(1);
});
