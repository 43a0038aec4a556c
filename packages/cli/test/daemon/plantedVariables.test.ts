import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hasCompiler, isThere, script } from "../../../client/test/support/compiler.ts";
import { askDaemon } from "../../src/daemon/askDaemon.ts";
import { daemonStatusSchema } from "../../src/daemon/controlSchemas.ts";
import { daemonEnvironment } from "../../src/daemon/daemonEnvironment.ts";
import { CLIENTS } from "../../src/hosts/clients/index.ts";
import { endDaemon } from "../../src/hosts/endDaemon.ts";
import { endOf, Machine } from "../support/machine.ts";

const hasLinux = isThere("Linux", process.platform === "linux", { neededInCi: false });

/** Writes down the program that loads it. */
const LIBRARY = `
#include <stdio.h>
#include <unistd.h>
__attribute__((constructor)) static void planted(void) {
  char program[4096];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program);
  FILE *file = fopen(LIST, "a");
  if (file == NULL || length < 0) return;
  fprintf(file, "%.*s\\n", (int)length, program);
  fclose(file);
}
`;

/** A repository whose \`.env\` the agent has loaded: each variable makes some program load code of the repository. */
function planted(machine: Machine): Record<string, string> {
  const path = (name: string) => join(machine.project, name);
  const note = (who: string) => `echo ${who} >>${path("loaded")}\n`;
  machine.write({
    "project/planted.c": LIBRARY,
    "project/planted.cnf": `nodejs_conf = init\nopenssl_conf = init\n[init]\nproviders = all\n[all]\nplanted = planted\n[planted]\nmodule = ${path("planted.so")}\nactivate = 1\n`,
    "project/planted.cjs": `require("node:fs").appendFileSync(${JSON.stringify(path("loaded"))}, "node options\\n");\n`,
    "project/planted.sh": note("shell"),
    "project/.curlrc": `output = ${path("loaded")}\n`,
  });
  for (const name of ["node", "curl", "env", "date", "ps"]) {
    machine.write({ [`project/bin/${name}.sh`]: note(name) });
    symlinkSync(`${name}.sh`, path(`bin/${name}`));
  }
  const flags = ["-shared", "-fPIC", `-DLIST="${path("loaded")}"`];
  const source = path("planted.c");
  expect(script.compile(script.findCompiler() ?? "", flags, path("planted.so"), [source])).toBeUndefined();
  return {
    OPENSSL_CONF: path("planted.cnf"),
    NODE_OPTIONS: `--require ${path("planted.cjs")}`,
    BASH_ENV: path("planted.sh"),
    ENV: path("planted.sh"),
    CURL_HOME: machine.project,
    HOME: machine.project,
    TMPDIR: machine.project,
    DYLD_INSERT_LIBRARIES: path("planted.so"),
    PATH: `${path("bin")}:/usr/bin:/bin`,
  };
}

function loadedBy(machine: Machine): readonly string[] {
  const file = join(machine.project, "loaded");
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
}

async function daemonOf(machine: Machine) {
  const status = await askDaemon(machine.home, { ask: "status" }, daemonStatusSchema);
  const entries = readFileSync(`/proc/${status?.pid}/environ`, "utf8").split("\0").filter(Boolean);
  const libraries = readFileSync(`/proc/${status?.pid}/maps`, "utf8").match(/\/\S*planted\S*/g);
  return { env: Object.fromEntries(entries.map((entry) => entry.split(/=(.*)/s, 2))), libraries };
}

function installedMachine(): Machine {
  const machine = new Machine();
  mkdirSync(join(machine.home, ".hookline"));
  onTestFinished(async () => void (await endDaemon(machine.home)));
  return machine;
}

test.runIf(hasCompiler && hasLinux).each(CLIENTS.filter(({ lacks }) => lacks() === undefined).map(({ kind }) => kind))(
  "neither the %s client nor its daemon loads what variables of a repository name",
  async (kind) => {
    const machine = installedMachine();
    const variables = planted(machine);
    expect(await machine.run(["install", "claude", "--client", kind, "--yes"])).toMatchObject({ code: 0 });
    // The loader puts it into the shell of a script before its first line, and into what that starts, but not further.
    for (const preload of [{}, { LD_PRELOAD: join(machine.project, "planted.so") }]) {
      const client = join(machine.home, ".hookline/bin/hookline-hook");
      const args = ["claude", "PreToolUse", "--deadline", "60000", "--ask-deadline", "60000"];
      const child = spawn(client, args, { cwd: machine.project, env: { ...variables, ...preload } });
      child.stdin.on("error", () => {});
      child.stdin.end('{"session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}');
      expect(await endOf(child)).toEqual({ code: 0, stdout: "", stderr: "" });
      const programs = loadedBy(machine).map((path) => basename(path));
      expect(programs.filter((name) => !SHELL.includes(name) || !("LD_PRELOAD" in preload))).toEqual([]);
      expect(await daemonOf(machine)).toEqual({ env: daemonEnvironment(machine.home), libraries: null });
      await endDaemon(machine.home);
    }
    expect(machine.has("home/.hookline/run/missed")).toBe(false);
  },
);

const SHELL = [
  "sh",
  "dash",
  "bash",
  "busybox",
  "coreutils",
  "base64",
  "date",
  "env",
  "head",
  "ls",
  "mktemp",
  "rm",
].concat(["sleep", "tail", "tr", "wc"]);

test.runIf(hasCompiler && hasLinux)("`hookline daemon start` gives the daemon none of them", async () => {
  const machine = installedMachine();
  const preload = { LD_PRELOAD: join(machine.project, "planted.so") };
  const { OPENSSL_CONF: _, ...variables } = planted(machine); // OpenSSL ends Node if the library is not a provider
  const env = { ...variables, ...preload, HOME: machine.home, HOOKLINE_STATE_DIR: join(machine.dir, "state") };
  expect(await machine.cli(["daemon", "start"], { env })).toMatchObject({ code: 0 });
  expect(loadedBy(machine)).toEqual([process.execPath, "node options"]); // the command itself
  expect(await daemonOf(machine)).toEqual({ env: daemonEnvironment(machine.home), libraries: null });
});

test.runIf(hasCompiler && hasLinux)("a control: the variables work", () => {
  const machine = new Machine();
  const env = planted(machine);
  for (const name of ["OPENSSL_CONF", "NODE_OPTIONS"]) {
    spawnSync(process.execPath, ["-e", "require('node:crypto')"], { env: { [name]: env[name] } });
  }
  expect(loadedBy(machine)).toEqual([process.execPath, "node options"]);
});
