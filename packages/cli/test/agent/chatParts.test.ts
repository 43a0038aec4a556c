import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApprovalRequest, ToolConfirmation } from "@hookline/engine";
import { describe, expect, test } from "vitest";
import { Grants, grantFor } from "../../src/agent/chat/grants.ts";
import { MOST_PROMPTS, PromptHistory } from "../../src/agent/chat/promptHistory.ts";
import { Screen } from "../../src/agent/chat/screen.ts";
import { meaningOf } from "../../src/agent/chat/slashCommands.ts";
import { StreamedText } from "../../src/agent/chat/streamedText.ts";
import { approvalView } from "../../src/terminal/approvalView.ts";
import { widthOf } from "../../src/terminal/table.ts";
import { Machine } from "../support/machine.ts";

describe("what a person is shown before they approve", () => {
  const CALL: ApprovalRequest = {
    toolName: "look_up",
    toolInput: { name: "a\u001b[2Jb" },
    toolCallId: "1",
    reasons: [],
    hooks: [],
    rewrites: [],
  };
  const shown = (more: Partial<ApprovalRequest>, isWhole = false) =>
    approvalView({ ...CALL, ...more }, { colour: false }, { isWhole });

  function command(text: string, description?: string): Partial<ApprovalRequest> {
    const about = description === undefined ? {} : { description };
    return { confirmation: { type: "exec", title: "Run it?", command: text, dir: "/", ...about } };
  }

  test("are the arguments, where a tool has nothing better to show", () => {
    expect(shown({}).lines).toEqual(["", "? look_up · asked by the tool", "  {", '    "name": "a\\u001b[2Jb"', "  }"]);
  });

  test("are the hooks that ask, their reasons, the server, and what was changed", () => {
    const { lines } = shown({
      hooks: ["one", "two"],
      reasons: ["First\nreason", "Second"],
      systemMessage: "Mind\u202e this.",
      mcpContext: { server_name: "files", tool_name: "look" },
      confirmation: { type: "mcp", title: "Call look?", server_name: "files", tool_name: "look" },
      toolInput: {},
      rewrites: [{ path: ["tool_input", "name"], before: "a", after: { b: 1 }, hook: "tidy" }],
    });
    expect(lines).toEqual([
      "",
      "? look_up look of the MCP server files · asked by one, two",
      "  First",
      "  reason",
      "  Second",
      "  Mind\\u202e this.",
      "  Call look?",
      "  {}",
      "  tidy changed tool_input.name",
      "    - a",
      '    + {"b":1}',
    ]);
  });

  test("is the end of a long command, too, and how much is missing; all of it on request", () => {
    const command = Array.from({ length: 200 }, (_, index) => `echo ${index}`).join("\n");
    const request = { confirmation: { type: "exec", title: "Run echo?", command, dir: "/" } } as const;
    const cut = shown(request);
    expect(cut.isCut).toBe(true);
    expect(cut.lines).toContain("  $ echo 0");
    expect(cut.lines).toContain("    echo 199");
    expect(cut.lines).toContain("  … 142 lines are not shown …");
    const whole = shown(request, true);
    expect([whole.isCut, whole.lines.filter((line) => line.includes("echo")).length]).toEqual([false, 200]);
  });

  test.each<[string, Partial<ApprovalRequest>]>([
    ["a long run of spaces", command(`git status${" ".repeat(9_000)}; touch x`)],
    ["blank lines by the thousand", command(`git status${"\n".repeat(9_000)}touch x`)],
    ["blanks of other kinds", command(`git status${"\u3000".repeat(9_000)}; touch x`)],
    ["one endless line", command(`git status #${"x".repeat(9_000)}; touch x`)],
    ["wide letters", command(`git status #${"漢".repeat(3_000)}; touch x`)],
    ["a description that pushes the command away", command("touch x", "word ".repeat(2_000))],
    ["a long reason", { ...command("touch x"), reasons: ["because\n".repeat(500)] }],
    ["arguments of a server's tool", { toolInput: { a: `${" ".repeat(9_000)}touch x` } }],
    [
      "a diff with blank lines",
      { confirmation: { type: "edit", title: "Edit?", diff: `--- a\n+++ a\n${"+\n".repeat(5_000)}+touch x` } },
    ],
    [
      "a file that is not text",
      { confirmation: { type: "edit", title: "Edit?", diff: "[a is not a text file; its 3 bytes are overwritten]" } },
    ],
    [
      "a value that a hook changed",
      { ...command("touch x"), rewrites: [{ path: ["tool_input"], before: "x".repeat(9_000), after: "y", hook: "h" }] },
    ],
  ])("is never a default yes behind %s", (_, request) => {
    const view = approvalView({ ...CALL, ...request }, { colour: false, columns: 100, rows: 40 }, { isWhole: false });
    const rows = view.lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / 100)), 0);
    expect([view.isPlain, rows <= 40]).toEqual([false, true]);
  });

  test("is a plain question where all of it is on the screen", () => {
    const view = approvalView(
      { ...CALL, ...command("git status\n\n  ls", "looks") },
      { colour: false, columns: 80, rows: 24 },
      { isWhole: false },
    );
    expect(view).toEqual({
      isCut: false,
      isPlain: true,
      lines: [
        "",
        "? look_up · asked by the tool",
        "  $ git status",
        "    ",
        "      ls",
        "  in /",
        "  the model says: looks",
      ],
    });
  });
});

describe("a yes for the whole session", () => {
  const exec = (command: string, dir = "/a"): ToolConfirmation => ({ type: "exec", title: "Run it?", command, dir });
  const mcp = (server_name: string, tool_name: string): ToolConfirmation => ({
    type: "mcp",
    title: "Call it?",
    server_name,
    tool_name,
  });
  const edit: ToolConfirmation = { type: "edit", title: "Edit it?" };

  test.each<[string, ToolConfirmation, readonly ToolConfirmation[], readonly ToolConfirmation[]]>([
    ["edits", edit, [{ ...edit, file_path: "/b" }], [{ ...edit, isRequired: true }, exec("ls")]],
    ["a command", exec("ls"), [exec("ls")], [exec("ls "), exec("ls", "/b"), exec("ls; rm x"), edit]],
    ["a server's tool", mcp("a", "b"), [mcp("a", "b")], [mcp("a", "c"), mcp("c", "b")]],
  ])("to %s covers the same, and nothing else", (_, given, covered, others) => {
    const grants = new Grants();
    const grant = grantFor(given);
    if (!grant) throw new Error("It can be granted");
    grants.add(grant);
    expect(covered.map((one) => grants.covers(one))).toEqual(covered.map(() => true));
    expect(others.map((one) => grants.covers(one))).toEqual(others.map(() => false));
    grants.clear();
    expect(covered.map((one) => grants.covers(one))).toEqual(covered.map(() => false));
  });

  test.each<[string, ToolConfirmation]>([
    ["what has to be looked at each time", { ...edit, isRequired: true }],
    ["what nothing is known about", { type: "info", title: "Do it?" }],
    ["a command that is no text", { type: "exec", title: "Run it?" }],
  ])("is not offered for %s", (_, confirmation) => {
    expect(grantFor(confirmation)).toBeUndefined();
  });
});

describe("the history of prompts", () => {
  test("is there in the next chat, the latest first, with its lines, and without repetitions", () => {
    const { home } = new Machine();
    const first = new PromptHistory(home);
    for (const prompt of ["one", "two\nlines", "two\nlines", "a \\n b", "one"]) first.add(prompt);
    expect(new PromptHistory(home).prompts).toEqual(["one", "a \\n b", "two\nlines", "one"]);
    expect(statSync(join(home, ".hookline/chat_history")).mode & 0o777).toBe(0o600);
  });

  test("keeps the last prompts only, for its owner only", () => {
    const { home } = new Machine();
    const file = join(home, ".hookline/chat_history");
    mkdirSync(join(home, ".hookline"));
    writeFileSync(file, Array.from({ length: MOST_PROMPTS + 20 }, (_, index) => `${index}\n`).join(""), {
      mode: 0o644,
    });
    const { prompts } = new PromptHistory(home);
    expect([prompts.length, prompts.at(0), prompts.at(-1)]).toEqual([MOST_PROMPTS, `${MOST_PROMPTS + 19}`, "20"]);
    expect(new PromptHistory(home).prompts).toEqual(prompts);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("that cannot be kept is kept in memory", () => {
    const machine = new Machine({ "home/.hookline": "a file where a folder should be" });
    const history = new PromptHistory(machine.home);
    history.add("one");
    expect(history.prompts).toEqual(["one"]);
  });
});

test.each([
  ["hello", { kind: "prompt", text: "hello" }],
  [" //etc/passwd ", { kind: "prompt", text: "/etc/passwd" }],
  ["/quit", { kind: "command" }],
  ["/exit ", { kind: "command" }],
  ["/etc/passwd", { kind: "unknown", what: expect.stringContaining("There is no command /etc/passwd.") }],
  ["/claer", { kind: "unknown", what: expect.stringContaining('Did you mean "/clear"?') }],
  ["/clear all", { kind: "unknown", what: expect.stringContaining("/clear does not accept arguments.") }],
])("%j is taken for what it is", (typed, meaning) => {
  expect(meaningOf(typed)).toMatchObject(meaning);
});

test("pieces of text are harmless wherever they are cut", () => {
  const whole = "a\r\nb\tc😀\u001b[2J\rd";
  const expected = "a\nb    c😀\\e[2J\\rd";
  for (let cut = 0; cut <= whole.length; cut += 1) {
    const text = new StreamedText();
    expect(text.add(whole.slice(0, cut)) + text.add(whole.slice(cut)) + text.end()).toBe(expected);
  }
});

describe("the screen", () => {
  function screenOf(columns = 20) {
    let written = "";
    const write = (text: string) => {
      written += text;
    };
    const screen = new Screen({ write, columns: () => columns, canErase: true });
    return { screen, taken: () => written.replaceAll("\u001b", "^") };
  }

  test("erases its live lines before it says something, and cuts them to its width", () => {
    const { screen, taken } = screenOf(8);
    screen.live(["one", "a longer one"]);
    screen.lines(["said"]);
    expect(taken()).toBe("one\na long…\r^[A^[Jsaid\n");
  });

  test("shows no live line within a line that is not finished", () => {
    const { screen, taken } = screenOf();
    screen.text("half");
    screen.live(["waiting"]);
    screen.gap();
    screen.gap();
    screen.lines(["next"]);
    expect(taken()).toBe("half\n\nnext\n");
  });

  test("keeps what is to be said until nobody else draws", () => {
    const { screen, taken } = screenOf();
    screen.hold();
    screen.lines(["later"]);
    screen.live(["waiting"]);
    screen.draw(["question"]);
    screen.hold();
    screen.release();
    expect(taken()).toBe("question\n");
    screen.release();
    expect(taken()).toBe("question\nlater\n");
  });
});
