import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SettingsConfig, type TrustPolicy, type TrustRequest } from "@hookline/engine";
import { type DeclarationKind, TrustStore } from "@hookline/engine/program";
import { expect, onTestFinished, test } from "vitest";
import { DECLARATION_KINDS } from "../../src/declarations/index.ts";
import { MCP_SERVERS } from "../../src/declarations/servers/mcpServers.ts";
import { temporaryFolder } from "./workspace.ts";

const HOOKS = { BeforeTool: [{ hooks: [{ type: "command", name: "guard", command: "true" }] }] };
const KIT = { command: process.execPath, args: ["server.mjs"] };

/** A project with a hook and a server that a person can trust, change and remove. */
function project() {
  const [dir, home] = [temporaryFolder(), temporaryFolder()];
  const write = (path: string, content: unknown) => {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  };
  const script = (text: string) => write(join(dir, "server.mjs"), text);
  const settings = (content: unknown) => write(join(dir, ".hookline/settings.json"), content);
  const userSettings = (content: unknown) => write(join(home, ".hookline/settings.json"), content);
  script("// a server\n");
  settings({ hooks: HOOKS, mcpServers: { kit: KIT } });
  const start = async (trust?: TrustPolicy, starts: readonly DeclarationKind[] = [MCP_SERVERS]) => {
    const options = {
      workingDir: dir,
      homeDir: home,
      systemFile: join(home, "none"),
      declares: DECLARATION_KINDS,
      starts,
    };
    const system = new SettingsConfig({ ...options, ...(trust === undefined ? {} : { trust }) }).getHookSystem();
    if (!system) throw new Error("hooks are on");
    onTestFinished(() => system.dispose());
    await system.initialize();
    return system;
  };
  return { dir, home, script, settings, userSettings, start, store: new TrustStore(home) };
}

const names = (servers: readonly { readonly name: string }[]) => servers.map(({ name }) => name);

test("a project's server that nobody trusted keeps the system from starting, and is named beside the hooks", async () => {
  const { start, settings } = project();
  await expect(start()).rejects.toMatchObject({
    code: "TRUST_REQUIRED",
    what: expect.stringMatching(
      /^This project declares a hook and an MCP server that are not trusted:\n {2}guard \(BeforeTool\) at .*\n {2}kit \(MCP server\) at .*$/,
    ),
  });
  settings({ mcpServers: { kit: KIT } });
  await expect(start()).rejects.toMatchObject({
    what: expect.stringContaining("declares an MCP server that is not trusted:"),
  });
});

test("on no, and with skip, the session goes on without it, and says so; servers of the user are unaffected", async () => {
  for (const policy of [() => false, "skip"] as const) {
    const { start, userSettings } = project();
    userSettings({ mcpServers: { mine: { command: process.execPath } } });
    const system = await start(policy);
    expect(names(system.getDeclared(MCP_SERVERS))).toEqual(["mine"]);
    expect(system.getStatus()).toMatchObject({
      untrusted: ["guard"],
      untrustedOthers: [{ kind: "server", name: "kit" }],
    });
  }
});

test("a yes covers hooks and servers, is kept, and an older trust file stays good", async () => {
  const { start, store, dir, settings } = project();
  settings({ hooks: HOOKS });
  await start(() => true);
  const [hookPrint] = Object.keys(store.read(dir).hooks);
  expect(Object.values(store.read(dir).hooks)).toMatchObject([{ name: "guard", event: "BeforeTool" }]);

  settings({ hooks: HOOKS, mcpServers: { kit: KIT } });
  const asked: TrustRequest[] = [];
  const system = await start((request) => asked.push(request) > 0);
  expect(asked).toMatchObject([{ reason: "new", hooks: [], others: [{ kind: "server", name: "kit", type: "stdio" }] }]);
  expect(names(system.getDeclared(MCP_SERVERS))).toEqual(["kit"]);
  const kept = store.read(dir).hooks;
  expect(Object.keys(kept)).toHaveLength(2);
  expect(Object.keys(kept)).toContain(hookPrint);
  expect(Object.values(kept).map(({ name, event }) => [name, event])).toEqual([
    ["guard", "BeforeTool"],
    ["kit", undefined],
  ]);
  expect(names((await start()).getDeclared(MCP_SERVERS))).toEqual(["kit"]);
});

test.each<[string, Record<string, unknown>]>([
  ["arguments", { ...KIT, args: ["server.mjs", "--all"] }],
  ["environment", { ...KIT, env: { NODE_OPTIONS: "--import=./x.mjs" } }],
  ["credentials", { ...KIT, passEnv: ["TOKEN"] }],
  ["tools", { ...KIT, includeTools: ["rm"] }],
  ["folder", { ...KIT, cwd: ".hookline" }],
])("a server whose %s were changed needs trust again", async (_, changed) => {
  const { start, settings } = project();
  await start(() => true);
  settings({ hooks: HOOKS, mcpServers: { kit: changed } });
  await expect(start()).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
});

test("a changed script needs trust again, also between two starts of one session", async () => {
  const { start, script } = project();
  const system = await start(() => true);
  const [kit] = system.getDeclared(MCP_SERVERS);
  if (!kit) throw new Error("kit is trusted");
  expect(await system.getRefusal(kit)).toBeUndefined();
  script("// something else\n");
  await expect(start()).rejects.toMatchObject({ code: "TRUST_REQUIRED" });
  const later = await start("all");
  script("// and again\n");
  const [again] = later.getDeclared(MCP_SERVERS);
  if (!again) throw new Error("kit is trusted");
  expect(await later.getRefusal(again)).toMatch(/^was changed after it was trusted/);
});

test("a server that is gone is named at start, and blocks nothing at a reload", async () => {
  const { start, settings } = project();
  const system = await start(() => true);
  settings({ hooks: HOOKS });
  await system.reload();
  expect([system.getDeclared(MCP_SERVERS), system.getStatus().notices]).toEqual([[], []]);
  expect((await start()).getStatus().notices).toEqual([
    expect.stringMatching(/^"kit" \(MCP server\), trusted earlier, is no longer declared/),
  ]);
});

test("a server that a reload brings is asked for, and nobody's yes is a no", async () => {
  const { start, settings } = project();
  const system = await start("all");
  settings({ hooks: HOOKS, mcpServers: { kit: KIT, more: { command: process.execPath } } });
  await system.reload();
  expect(names(system.getDeclared(MCP_SERVERS))).toEqual(["kit"]);
  expect(system.getStatus().untrustedOthers).toEqual([{ kind: "server", name: "more" }]);
});

test.each<[string, Record<string, unknown>, string | undefined]>([
  ["as before", { other: { command: process.execPath }, kit: KIT }, undefined],
  ["otherwise", { kit: { ...KIT, args: ["server.mjs", "--all"] } }, "was changed in the settings"],
  ["nowhere", {}, "is no longer declared"],
])(
  "after a reload that finds it declared %s, a server is judged anew before it is started again",
  async (_, mcpServers, why) => {
    const { start, settings } = project();
    const system = await start(() => true);
    const [kit] = system.getDeclared(MCP_SERVERS);
    if (!kit) throw new Error("kit is trusted");
    settings({ hooks: HOOKS, mcpServers });
    await system.reload();
    const refusal = await system.getRefusal(kit);
    if (why === undefined) expect(refusal).toBeUndefined();
    else expect(refusal).toContain(why);
  },
);

test("a project's server under the name of a user's needs no trust, since it is never started", async () => {
  const { start, settings, userSettings } = project();
  settings({ mcpServers: { kit: KIT } });
  userSettings({ mcpServers: { kit: { command: process.execPath } } });
  const system = await start();
  expect(system.getDeclared(MCP_SERVERS)).toMatchObject([{ name: "kit", source: "user" }]);
});

test("a program that starts no servers is not asked about them, is given none, and forgets no trust in them", async () => {
  const { start, settings, script, store, dir, userSettings } = project();
  userSettings({ mcpServers: { mine: { command: process.execPath } } });
  settings({ mcpServers: { kit: KIT } });
  const without = await start(undefined, []);
  expect([without.getDeclared(MCP_SERVERS), without.getStatus().untrustedOthers]).toEqual([[], []]);

  settings({ hooks: HOOKS, mcpServers: { kit: KIT } });
  await expect(start(undefined, [])).rejects.toMatchObject({
    what: expect.stringMatching(/^This project declares a hook that is not trusted:\n.*guard.*$/),
  });
  await start(() => true);
  const kept = () => Object.values(store.read(dir).hooks).map(({ name }) => name);
  expect(kept().toSorted()).toEqual(["guard", "kit"]);

  // Neither a changed server nor a new hook makes such a program touch what was said about servers.
  script("// something else\n");
  settings({
    hooks: { BeforeTool: [{ hooks: [{ type: "command", name: "other", command: "true" }] }] },
    mcpServers: { kit: KIT },
  });
  const asked: TrustRequest[] = [];
  const later = await start((request) => asked.push(request) > 0, []);
  expect(asked).toMatchObject([{ hooks: [{ name: "other" }], others: [] }]);
  expect(later.getStatus().notices).toEqual([expect.stringMatching(/^"guard" \(BeforeTool\), trusted earlier/)]);
  expect(kept().toSorted()).toEqual(["kit", "other"]);
});
