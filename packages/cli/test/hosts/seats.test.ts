import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { deadlinesOf } from "../../src/hosts/deadlines.ts";
import { settingsPath } from "../../src/hosts/places.ts";
import { whyNotLasting } from "../../src/hosts/programPlace.ts";
import { dialectOf, seatNamed } from "../../src/hosts/seatNamed.ts";
import { SEATS } from "../../src/hosts/seats.ts";
import { firstWord, shellCommand } from "../../src/hosts/shellCommand.ts";
import { isBefore, isTested, versionIn } from "../../src/hosts/versions.ts";
import { callsClient, wantedGroups } from "../../src/hosts/wantedGroups.ts";

const CLIENT = "/home/kim/.hookline/bin/hookline-hook";
const ODD = "/home/kim o'neil $(x)/.hookline/bin/hookline-hook";
const plain = { client: CLIENT, trustProject: false, version: undefined };

test.each(SEATS)(
  "$name: one group for each event that has a meaning for hooks of ours, and none for others",
  (seat) => {
    const groups = wantedGroups(seat, plain);
    const mapped = Object.entries(dialectOf(seat).events).filter(([, { ours }]) => ours !== null);
    expect([...groups.keys()]).toEqual(mapped.map(([event]) => event));
    for (const { hooks } of groups.values()) {
      expect(hooks.map((hook) => callsClient(hook, CLIENT))).toEqual([true]);
      expect(hooks.map((hook) => callsClient(hook, ODD))).toEqual([false]);
    }
  },
);

test.each(SEATS)("$name: the client answers before the host gives up on it", (seat) => {
  for (const event of wantedGroups(seat, plain).keys()) {
    const { timeoutMs, deadlineMs, askDeadlineMs } = deadlinesOf(seat, event, true);
    expect(timeoutMs % seat.timeout.unitMs).toBe(0);
    expect(deadlineMs).toBeLessThanOrEqual(askDeadlineMs);
    expect(timeoutMs - askDeadlineMs).toBeGreaterThanOrEqual(500);
  }
});

test("what the three hosts are told about the event before a tool runs", () => {
  const told = (name: string, event: string, options = {}) =>
    wantedGroups(seatNamed(name), { ...plain, ...options }).get(event);
  const deadlines = ["--deadline", "595000", "--ask-deadline", "3595000"];
  expect(told("claude", "PreToolUse")).toEqual({
    hooks: [
      {
        type: "command",
        command: CLIENT,
        args: ["claude", "PreToolUse", ...deadlines],
        timeout: 3600,
        onFailure: "block",
      },
    ],
  });
  expect(told("codex", "PreToolUse", { trustProject: true })).toEqual({
    hooks: [
      { type: "command", command: `${CLIENT} codex PreToolUse ${deadlines.join(" ")} --trust-project`, timeout: 3600 },
    ],
  });
  expect(told("gemini", "BeforeTool")).toEqual({
    hooks: [
      {
        type: "command",
        name: "hookline",
        command: `${CLIENT} gemini BeforeTool ${deadlines.join(" ")}`,
        timeout: 3_600_000,
      },
    ],
  });
});

test("a host that waits only seconds for the end of a session gets its answer within them", () => {
  expect(wantedGroups(seatNamed("codex"), plain).get("SessionEnd")).toEqual({
    hooks: [{ type: "command", command: `${CLIENT} codex SessionEnd --deadline 2500 --ask-deadline 2500`, timeout: 3 }],
  });
});

test("in Claude Code a failure of the client blocks what a guard could block, but never the end of a turn", () => {
  const groups = [...wantedGroups(seatNamed("claude"), plain)];
  const closing = groups.filter(([, { hooks }]) => hooks[0]?.onFailure === "block").map(([event]) => event);
  expect(closing.toSorted()).toEqual(["PostToolUse", "PostToolUseFailure", "PreToolUse", "UserPromptSubmit"]);
});

test("a Claude Code that knows no arguments of hooks gets a command line, quoted for its shell", () => {
  const groups = wantedGroups(seatNamed("claude"), { ...plain, client: ODD, version: "2.1.138" });
  const [hook] = groups.get("Stop")?.hooks ?? [];
  expect(hook).not.toHaveProperty("args");
  expect(callsClient(hook, ODD)).toBe(true);
});

test.each([CLIENT, ODD, "a\\b", "'", "''", "é ü", "$HOME", "*"])("the word %s is itself to a shell", (word) => {
  const line = shellCommand([word, "BeforeTool"]);
  const printed = execFileSync("sh", ["-c", `printf '%s|' ${line}`], { encoding: "utf8" });
  expect(printed).toBe(`${word}|BeforeTool|`);
  expect(firstWord(line)).toBe(word);
});

test.each([
  ["2.1.138", "2.1.139", true],
  ["2.1.139", "2.1.139", false],
  ["2.1.1000", "2.1.139", false],
  ["2.2", "2.10.0", true],
  ["3.0.0-beta.1", "2.9.9", false],
])("%s is before %s: %s", (one, other, expected) => {
  expect(isBefore(one, other)).toBe(expected);
});

test.each([
  ["0.166.7", "0.166", true],
  ["0.167.0", "0.166", false],
  ["2.1.325", "2.1.325", true],
  ["2.1.32", "2.1.325", false],
])("%s is the tested version %s: %s", (version, tested, expected) => {
  expect(isTested(version, tested)).toBe(expected);
});

test.each([
  ["codex-cli 0.166.0\n", "0.166.0"],
  ["2.1.325 (Claude Code)", "2.1.325"],
  ["/home/kim/.local/share/claude/versions/2.1.325", "2.1.325"],
  ["127.0.0.1 is an address", undefined],
  ["", undefined],
])("the version in %j", (text, expected) => {
  expect(versionIn(text)).toBe(expected);
});

test("files are where the host looks for them; variables that move its folder count if they are absolute", () => {
  const places = { homeDir: "/home/kim", projectRoot: "/work/shop", env: {} };
  const at = (name: string, level: "user" | "project" | "managed", env = {}) =>
    settingsPath(seatNamed(name), level, { ...places, env });
  expect(at("claude", "user")).toBe("/home/kim/.claude/settings.json");
  expect(at("claude", "user", { CLAUDE_CONFIG_DIR: "/etc/kim" })).toBe("/etc/kim/settings.json");
  expect(at("claude", "user", { CLAUDE_CONFIG_DIR: "kim" })).toBe("/home/kim/.claude/settings.json");
  expect(at("claude", "project")).toBe("/work/shop/.claude/settings.local.json");
  expect(at("codex", "user", { CODEX_HOME: "/srv/codex" })).toBe("/srv/codex/hooks.json");
  expect(at("gemini", "project")).toBe("/work/shop/.gemini/settings.json");
  expect(() => at("codex", "managed")).toThrow("requirements.toml");
});

test.each([
  [
    "/home/kim/.npm/_npx/0a1b/node_modules/hookline/bin/hookline.js",
    "/home/kim",
    "the cache of npx, which npm empties",
  ],
  ["/tmp/x/hookline.js", "/home/kim", "a temporary folder"],
  ["/private/kim/T/x/hookline.js", "/home/kim", "a temporary folder"],
  ["/tmp/x/hookline.js", "/tmp/home", undefined],
  ["/usr/lib/node_modules/hookline/bin/hookline.js", "/home/kim", undefined],
])("%s as the program of %s: %s", (script, homeDir, expected) => {
  expect(whyNotLasting(script, homeDir, "/private/kim/T")).toBe(expected);
});
