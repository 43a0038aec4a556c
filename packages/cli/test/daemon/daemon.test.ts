import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { hasCompiler } from "../../../client/test/support/compiler.ts";
import { asText, REFUSED } from "../../../client/test/support/installation.ts";
import { command, DaemonHome, decisionIn, NO_RM, on } from "./support/daemonHome.ts";

const GUARDED = on("BeforeTool", "run_shell_command", NO_RM);
const DENIED = { decision: "deny", reason: "no rm here" };
const PATIENCE = { timeout: 20_000, interval: 20 };
const PASSED = { decision: undefined, reason: undefined };

describe.runIf(hasCompiler)("the daemon", () => {
  test("is started by the first call, and answers it and the next", async () => {
    const home = new DaemonHome(GUARDED);
    expect(decisionIn(await home.bash("rm -rf x"))).toEqual(DENIED);
    expect(decisionIn(await home.bash("ls"))).toEqual(PASSED);
    expect(decisionIn(await home.tool("Write", { file_path: "a.txt", content: "" }))).toEqual(PASSED);
    const { hosts, projects } = await home.status();
    expect(hosts).toMatchObject([{ host: "claude", calls: 3, lastEvent: "PreToolUse", unknownEvents: [] }]);
    expect(projects).toEqual([{ root: home.project, hooks: 1, untrusted: 0 }]);
    expect(home.missed()).toEqual([]);
  });

  test("is started once by 64 calls at once, and answers each", async () => {
    const home = new DaemonHome(GUARDED);
    const calls = Array.from({ length: 64 }, (_, index) => home.bash(index % 2 === 0 ? "rm a" : "ls"));
    const decisions = (await Promise.all(calls)).map(decisionIn);
    expect(decisions).toEqual(decisions.map((_, index) => (index % 2 === 0 ? DENIED : PASSED)));
    expect((await home.status()).hosts).toMatchObject([{ calls: 64 }]);
  });

  test("tells hooks what the host really sent, and the session", async () => {
    const home = new DaemonHome(
      on("BeforeTool", "write_file", command("keeps", 'cat > "$HOME/input"; env > "$HOME/env"')),
    );
    await home.tool("Write", { file_path: "a.txt", content: "hi" }, { session: "s-1", id: "t-1" });
    const input = JSON.parse(readFileSync(join(home.dir, "input"), "utf8"));
    expect(input).toMatchObject({
      session_id: "s-1",
      cwd: home.project,
      hook_event_name: "BeforeTool",
      tool_name: "write_file",
      tool_input: { file_path: "a.txt", content: "hi" },
      tool_call_id: "t-1",
      host: { name: "claude", event: "PreToolUse", tool_name: "Write" },
    });
    expect(readFileSync(join(home.dir, "env"), "utf8")).toContain("HOOKLINE_SESSION_ID=s-1\n");
  });

  test("runs hooks in the environment of the session's host, and mixes no two up", async () => {
    const home = new DaemonHome(
      on("BeforeTool", "*", command("says", 'echo "$COLOUR" >&2; exit 2', { passEnv: ["COLOUR"] })),
    );
    const env = (COLOUR: string) => ({ HOME: home.dir, PATH: process.env.PATH ?? "", COLOUR });
    const answers = ["red", "blue", "red"].map((colour, index) =>
      home.bash("ls", { env: env(colour), session: `s-${index}` }),
    );
    expect((await Promise.all(answers)).map((answer) => decisionIn(answer).reason)).toEqual(["red", "blue", "red"]);
    expect(decisionIn(await home.bash("ls", { env: env("green"), session: "s-1" })).reason).toBe("blue");
  });

  test("runs one call of an agent once, although two settings files name hookline", async () => {
    const home = new DaemonHome(on("BeforeTool", "*", command("counts", 'echo x >> "$HOME/count"')));
    await Promise.all([home.bash("ls", { id: "t" }), home.bash("ls", { id: "t" }), home.bash("ls -l", { id: "t" })]);
    expect(readFileSync(join(home.dir, "count"), "utf8")).toBe("x\nx\n");
  });

  test("asks a person before a tool writes what decides about hooks", async () => {
    const home = new DaemonHome(GUARDED);
    const answer = await home.tool("Write", { file_path: join(home.dir, ".hookline/settings.json"), content: "{}" });
    expect(decisionIn(answer)).toEqual({ decision: "ask", reason: expect.stringContaining("decides what hooks do") });
  });

  test("lets an event pass that it does not know, and says so", async () => {
    const home = new DaemonHome(GUARDED);
    expect(await home.event("FutureEvent", {})).toMatchObject({ code: 0 });
    expect((await home.status()).hosts).toMatchObject([{ unknownEvents: ["FutureEvent"] }]);
  });

  test("guards a tool that it does not know under its own name", async () => {
    const home = new DaemonHome(on("BeforeTool", "Teleport", command("no", "echo 'not there' >&2; exit 2")));
    expect(decisionIn(await home.tool("Teleport", { to: "there" }))).toEqual({ decision: "deny", reason: "not there" });
  });

  test("takes a payload of 60 MB", async () => {
    const home = new DaemonHome(on("BeforeTool", "write_file", command("no", "echo 'too much' >&2; exit 2")));
    const answer = await home.tool("Write", { file_path: "a", content: "x".repeat(60 * 1024 * 1024) });
    expect(decisionIn(answer)).toEqual({ decision: "deny", reason: "too much" });
  });

  test("works in a home folder with a long path", async () => {
    const home = new DaemonHome(GUARDED, { folder: `${"long".repeat(20)}/home` });
    expect(decisionIn(await home.bash("rm x"))).toEqual(DENIED);
    const socket = readFileSync(join(home.run, "socket"), "utf8").trim();
    process.kill(JSON.parse(await once(socket)).pid, "SIGKILL");
  });
});

describe.runIf(hasCompiler)("the hooks of a project", () => {
  const PROJECT = on("BeforeTool", "run_shell_command", command("own", "echo own >&2; exit 2", { onError: "block" }));

  test("do not run without trust, which the person is told when a session starts", async () => {
    const home = new DaemonHome();
    home.write("project/.hookline/settings.json", PROJECT);
    const start = await home.event("SessionStart", { source: "startup" });
    expect(JSON.parse(start.stdout.toString()).systemMessage).toMatch(
      /1 of this project's hooks are not trusted.*hookline trust/,
    );
    expect(decisionIn(await home.bash("ls"))).toEqual(PASSED);
    expect((await home.status()).projects).toMatchObject([{ untrusted: 1 }]);
  });

  test("run in sessions that begin after a person trusted them, and not before", async () => {
    const home = new DaemonHome();
    home.write("project/.hookline/settings.json", PROJECT);
    expect(decisionIn(await home.bash("ls", { session: "before" }))).toEqual(PASSED);
    home.trust();
    expect(decisionIn(await home.bash("ls", { session: "before" }))).toEqual(PASSED);
    expect(decisionIn(await home.bash("ls", { session: "after" }))).toEqual({ decision: "deny", reason: "own" });
  });

  test("run with --trust-project, which only the installer writes", async () => {
    const home = new DaemonHome();
    home.write("project/.hookline/settings.json", PROJECT);
    expect(decisionIn(await home.bash("ls", { more: ["--trust-project"] }))).toEqual({
      decision: "deny",
      reason: "own",
    });
    const env = { HOME: home.dir, PATH: process.env.PATH ?? "", HOOKLINE_TRUST_PROJECT: "1" };
    expect(decisionIn(await home.bash("ls", { env, session: "another" }))).toEqual(PASSED);
  });

  test("that cannot be read are only told, as long as no person trusted the project", async () => {
    const home = new DaemonHome(GUARDED);
    home.write("project/.hookline/settings.json", "{ broken");
    expect(decisionIn(await home.bash("ls"))).toEqual(PASSED);
    expect(decisionIn(await home.bash("rm x"))).toEqual(DENIED);
  });
});

describe.runIf(hasCompiler)("a guard that blocks on failure is not passed when", () => {
  test("its settings cannot be read, from the start or later", async () => {
    const home = new DaemonHome("{ broken");
    expect(decisionIn(await home.bash("ls"))).toMatchObject({
      decision: "deny",
      reason: expect.stringContaining("settings.json:1:3"),
    });
    expect(await home.event("Stop", { stop_hook_active: false })).toMatchObject({ code: 0, stdout: Buffer.from("") });
    home.write(".hookline/settings.json", GUARDED);
    expect(decisionIn(await home.bash("ls"))).toEqual(PASSED);
    home.write(".hookline/settings.json", "{ broken");
    await new Promise((resolve) => setTimeout(resolve, 500)); // it is noticed, and the last good version stays
    expect(decisionIn(await home.bash("rm x"))).toEqual(DENIED);
  });

  test.each(["rubbish", "[1]", '"text"', '{"session_id":"s","tool_name":7}'])("the payload is %s", async (payload) => {
    const home = new DaemonHome(GUARDED);
    const env = { HOME: home.dir, PATH: process.env.PATH ?? "" };
    expect(decisionIn(await home.call({ env, stdin: payload })).decision).toBe("deny");
    expect((await home.call({ env, stdin: payload, event: "Notification" })).code).toBe(0);
  });

  test("the deadline is reached; another hook is passed then", async () => {
    const slow = (onError: string) => command("slow", "sleep 20", { onError });
    const guarded = new DaemonHome(on("BeforeTool", "*", slow("block")));
    const watched = new DaemonHome(on("BeforeTool", "*", slow("allow")));
    const late = async (home: DaemonHome) => {
      await home.event("Notification", { message: "the daemon is warm now" });
      const ended = await home.bash("ls", { deadlineMs: 1_500 });
      return decisionIn(ended).decision === "deny"; // the client says so if the daemon is too late
    };
    expect(await Promise.all([late(guarded), late(watched)])).toEqual([true, false]);
  });

  test("the daemon is killed before, during or after the call", async () => {
    const waits = command("waits", 'grep -q sleep && touch "$HOME/begun" && sleep 20; exit 0');
    const home = new DaemonHome(on("BeforeTool", "*", NO_RM, waits));
    expect(decisionIn(await home.bash("rm x"))).toEqual(DENIED);
    const first = await home.kill();
    expect(existsSync(home.socket)).toBe(true); // it had no time to tidy up
    expect(decisionIn(await home.bash("rm x"))).toEqual(DENIED);
    const during = home.bash("sleep", { deadlineMs: 20_000 });
    await vi.waitFor(() => expect(existsSync(join(home.dir, "begun"))).toBe(true), PATIENCE);
    const second = await home.kill();
    expect(second).not.toBe(first);
    expect(asText(await during)).toEqual(REFUSED);
    expect(home.missed()).toMatchObject([{ outcome: "refused" }]);
    expect(decisionIn(await home.bash("rm x"))).toEqual(DENIED);
  });

  test("it was changed while no daemon ran: until a person agrees, or in a new session", async () => {
    const home = new DaemonHome(on("BeforeTool", "*", command("guard", '"$HOME/guard.sh"', { onError: "block" })));
    home.write("guard.sh", "#!/bin/sh\nexit 0\n");
    home.writeSettings(on("BeforeTool", "*", command("guard", join(home.dir, "guard.sh"), { onError: "block" })));
    expect(decisionIn(await home.bash("ls"))).toEqual(PASSED);
    await home.kill();
    home.write("guard.sh", "#!/bin/sh\n# nothing is checked any more\nexit 0\n");
    const decide = async (approved: boolean) => {
      const asked = home.bash("ls", { askDeadlineMs: 60_000 });
      await vi.waitFor(async () => expect(await home.questions()).toHaveLength(1), PATIENCE);
      const [question] = await home.questions();
      await home.decide(question?.id ?? "", approved, "no thanks");
      return decisionIn(await asked);
    };
    const reason = expect.stringMatching(/^"guard" on BeforeTool was changed.*no thanks\.$/);
    expect(await decide(false)).toEqual({ decision: "deny", reason });
    expect(decisionIn(await home.bash("ls", { session: "new" }))).toEqual(PASSED);
    expect(await decide(true)).toEqual(PASSED);
    expect(decisionIn(await home.bash("ls"))).toEqual(PASSED);
  });

  test("it is a worker that hangs", async () => {
    const home = new DaemonHome();
    home.write("hang.mjs", "process.stdin.resume();");
    const worker = {
      type: "worker",
      name: "hangs",
      command: `${process.execPath} ${join(home.dir, "hang.mjs")}`,
      timeout: "1s",
      onError: "block",
    };
    home.write(".hookline/settings.json", on("BeforeTool", "*", worker));
    expect(decisionIn(await home.bash("ls")).decision).toBe("deny");
  });
});

describe.runIf(hasCompiler)("the daemon ends", () => {
  test("when it is told to, once the calls in progress are answered, and leaves no socket", async () => {
    const home = new DaemonHome(on("BeforeTool", "*", command("waits", "sleep 1; echo waited >&2; exit 2")));
    const waiting = home.bash("ls");
    await vi.waitFor(async () => expect((await home.status()).hosts).toMatchObject([{ calls: 1 }]));
    const { pid } = await home.status();
    expect(await home.ask({ ask: "stop" })).toEqual({});
    expect(existsSync(home.socket)).toBe(false);
    expect(decisionIn(await waiting)).toEqual({ decision: "deny", reason: "waited" });
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), PATIENCE);
    expect(existsSync(home.socket)).toBe(false);
  });

  test("by SIGTERM, and the next call starts another", async () => {
    const home = new DaemonHome(GUARDED);
    await home.bash("ls");
    const pid = await home.kill("SIGTERM");
    await vi.waitFor(() => expect(isAlive(pid ?? 0)).toBe(false), PATIENCE);
    expect(decisionIn(await home.bash("rm x"))).toEqual(DENIED);
  });
});

test.runIf(hasCompiler)("what must not pass without an answer is kept by event and folder", async () => {
  const home = new DaemonHome(GUARDED);
  home.write("project/.hookline/settings.json", on("BeforeAgent", "*", command("own", "true", { onError: "block" })));
  await home.bash("ls");
  const closed = () => readFileSync(join(home.run, "closed"), "utf8");
  expect(closed()).toBe("BeforeTool\t/\n"); // the project's own hook is not trusted
  await home.bash("ls", { more: ["--trust-project"] });
  expect(closed()).toBe(`BeforeAgent\t${home.project}\nBeforeTool\t/\n`);
  rmSync(join(home.run, "closed"));
  await home.bash("ls");
  expect(closed()).toBe(`BeforeAgent\t${home.project}\nBeforeTool\t/\n`); // for the other session, which goes on
});

async function once(path: string): Promise<string> {
  const { connect } = await import("node:net");
  const { text } = await import("node:stream/consumers");
  const socket = connect(path);
  socket.end('{"ask":"status"}\n');
  return text(socket);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
