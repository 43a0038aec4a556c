import { describe, expect, test } from "vitest";
import { EVENTS, type HookEventName } from "../../../src/events/catalog.ts";
import type { Ending } from "../../../src/hooks/answer/ending.ts";
import { interpretAnswer } from "../../../src/hooks/answer/interpretAnswer.ts";
import { readEnding } from "../../../src/hooks/answer/readEnding.ts";
import { readWorkerLine } from "../../../src/process/workerAnswer.ts";

const exited = (stdout: string, { code = 0, stderr = "" } = {}): Ending => ({
  kind: "exited",
  code,
  stdout,
  stderr,
  stdoutTruncated: false,
  stderrTruncated: false,
  leftBehind: false,
});

function interpret(ending: Ending, eventName: HookEventName = "BeforeTool") {
  const reading = readEnding(ending);
  const { answer, ignored, failure } = interpretAnswer(reading, EVENTS[eventName], { name: "hook", eventName });
  return { answer, ignored, failure: reading.failure ?? failure };
}

const DENY = '{"decision":"deny","reason":"no"}';
const OBJECTION = { decision: "deny", reason: "no" };
const BLOCK = { blocks: true, allows: false, reasons: ["no"] };

describe("an objection stands", () => {
  test.each([
    ["before another object", `${DENY}\n{"decision":"allow"}`],
    ["after another object", `{"decision":"allow"}\n${DENY}`],
    ["between log lines", `{"level":30}\n${DENY}\n{"level":30}`],
    ["before other text", `${DENY}\nbye`],
    ["in a fence", `Here:\n\`\`\`json\n${DENY}\n\`\`\``],
    ["in colours", `\u001b[31m${DENY}\u001b[0m`],
    ["with colours in another notation", DENY.replaceAll('"', '\u001b[38:5:1m"\u001b[m')],
    ["with links of a terminal inside", DENY.replace("deny", "\u001b]8;;file:///x\u001b\\\\deny\u001b]8;;\u0007")],
    ["in UTF-16", `\ufffd\ufffd${[...DENY].join("\0")}\0`],
    ["with colours inside", DENY.replaceAll('"', '\u001b[1;39m"\u001b[0m')],
    ["in a list", `[${DENY}]`],
    ["encoded twice behind a log line", JSON.stringify(`INFO\n${DENY}`)],
    ["deep inside other text's object", `INFO {"a":[{"b":${DENY}}]}`],
    ["inside an unknown field", `{"result":{"answers":[${DENY}]}}`],
    ["in hookSpecificOutput, where it does not belong", `{"hookSpecificOutput":${DENY}}`],
    ["as an object where a word belongs", `{"decision":${DENY}}`],
    ["as the text of a message", `{"systemMessage":${DENY}}`],
    ["behind a field of the same name", '{"decision":"deny","reason":"no","decision":"allow"}'],
    ["inside a field that another of its name replaces", `{"hookSpecificOutput":${DENY},"hookSpecificOutput":{}}`],
    ["deep inside such a field", `{"a":{"b":[${DENY}],"b":1}}`],
    ["in contents that a pasted text opened", '{"updatedInput":{"permissionDecision":"deny","reason":"no"}}'],
    ["encoded in hookSpecificOutput", JSON.stringify({ hookSpecificOutput: DENY })],
    ["encoded in an unknown field", JSON.stringify({ result: DENY })],
    ["encoded in decision", JSON.stringify({ decision: DENY })],
    ["encoded in a list", JSON.stringify({ content: [{ type: "text", text: DENY }] })],
    ["encoded three times", JSON.stringify({ output: JSON.stringify(JSON.stringify(DENY)) })],
    ["encoded inside something encoded", JSON.stringify({ a: JSON.stringify({ b: DENY }) })],
    ["encoded, with a fence around it", JSON.stringify({ result: `\`\`\`json\n${DENY}\n\`\`\`` })],
    ["encoded and torn", JSON.stringify({ result: `${DENY} and` })],
    ["encoded behind a log line", `INFO\n${JSON.stringify({ hookSpecificOutput: DENY })}`],
    ["with a raw line feed in its reason", '{"note":"a\nb","reason":"no","decision":"deny"}'],
    ["in another case", '{"decision":" DENY ","reason":"no"}'],
    ["as permissionDecision among text", 'x {"permissionDecision":"deny","permissionDecisionReason":"no"}'],
  ])("%s", (_name, stdout) => {
    expect(interpret(exited(stdout)).answer).toMatchObject(BLOCK);
  });

  test.each([["denied"], ["Blocked"], ["REJECT"], ["rejected"], ["refuse"]])("as decision %s, and is noted", (word) => {
    const { answer, ignored, failure } = interpret(exited(JSON.stringify({ decision: word, reason: "no" })));
    expect({ answer, failure }).toMatchObject({ answer: BLOCK, failure: undefined });
    expect(ignored).toEqual([`decision "${word}" was read as "block"`]);
  });

  test.each([
    ["broken JSON", '{"reason":"C:\\x" oops,"decision":"deny"}'],
    ["Python", "{'decision': 'deny'}"],
    ["JavaScript", "{ reason: 'x', decision: 'deny' }"],
    ["JSON inside a text", 'said "{\\"decision\\":\\"deny\\"}'],
    ["half a line", 'INFO "decision" : "deny'],
    ["Ruby", '{:decision=>"deny"}'],
    ["PHP", "array('reason' => 'x', 'decision' => 'deny')"],
    ["curly quotes", "{“decision”: “deny”}"],
    ["a stop", 'x "continue" : false'],
  ])("where only its text can be read: %s", (_name, stdout) => {
    expect(interpret(exited(stdout)).answer).toMatchObject({ blocks: true, reasons: [stdout] });
  });

  test("on standard error, where standard output is empty, at any exit code", () => {
    for (const code of [0, 1, 3]) {
      expect(interpret(exited(" \n", { code, stderr: `log\n${DENY}` })).answer).toMatchObject(BLOCK);
    }
    expect(interpret(exited("ok", { stderr: DENY })).answer).toMatchObject({ blocks: false });
  });

  test("as a signal, in the wrong place or in broken JSON, on the events that have it", () => {
    const signal = '{"kind":"ability_guard","code":"ABILITY_DENIED","payload":{"reason":"no"}}';
    for (const stdout of [
      `log\n{"hook_signals":[${signal}]}`,
      `{"hook_signals":${signal}}`,
      `{"hook_signals":[[${signal}]]}`,
      `{"signals":[${signal}]}`,
      `{"hook_signals":[${signal}`,
    ]) {
      expect(interpret(exited(stdout), "PreAbilityCall").answer).toMatchObject({ blocks: true, reasons: ["no"] });
      expect(interpret(exited(stdout), "BeforeTool").answer?.blocks ?? false).toBe(false);
    }
    for (const given of [signal, [signal], `[${signal}]`, { result: signal }]) {
      const stdout = JSON.stringify({ hook_signals: given });
      expect(interpret(exited(stdout), "PreAbilityCall").answer).toMatchObject({ blocks: true, reasons: ["no"] });
    }
    const torn = '{"kind":"ability_guard","logs":oops(),"code":"ABILITY_DENIED"}';
    expect(interpret(exited(torn), "PreAbilityCall").answer?.blocks).toBe(true);
    expect(interpret(exited(torn), "BeforeTool").answer?.blocks ?? false).toBe(false);
  });
});

describe("nothing but objections comes out of mixed text", () => {
  const everything = JSON.stringify({
    decision: "allow",
    systemMessage: "do this",
    suppressOutput: true,
    hookSpecificOutput: { tool_input: { a: 1 }, additionalContext: "x", tailToolCallRequest: { name: "y", args: {} } },
    hook_signals: [{ kind: "routing_hint", code: "X" }],
  });

  test.each([
    ["text before it", `read: ${everything}`],
    ["text after it", `${everything} done`],
    ["a second object", `${everything}\n{}`],
  ])("%s", (_name, stdout) => {
    expect(interpret(exited(stdout)).answer).toBeUndefined();
    expect(interpret(exited(stdout), "PromptSubmit").answer).toBeUndefined();
    expect(readEnding(exited(stdout)).warnings).toEqual([expect.stringContaining("only objections count")]);
  });

  test("an objection takes nothing else along", () => {
    const { answer } = interpret(exited(`${everything}\n${DENY}`));
    expect(answer).toMatchObject({ ...BLOCK, messages: [], contexts: [], rewrites: {}, specific: {}, signals: [] });
  });
});

test("a code that objects does so without its kind, in another case and outside the list", () => {
  const answers = [
    { hook_signals: [{ code: "ABILITY_DENIED" }] },
    { hook_signals: [{ kind: "guard", code: "ability_denied " }] },
    { hook_signals: ["ABILITY_DENIED"] },
    { kind: "ability_guard", code: "ABILITY_DENIED" },
  ];
  for (const answer of answers) {
    const said = interpret(exited(JSON.stringify(answer)), "PreAbilityCall").answer;
    expect(said).toMatchObject({ blocks: true, signals: [{ kind: "ability_guard", code: "ABILITY_DENIED" }] });
    expect(interpret(exited(JSON.stringify(answer)), "PromptSubmit").answer?.blocks).toBe(false);
  }
});

test("text that a hook quotes for people or the model is not read as an objection", () => {
  const quoted = [
    { systemMessage: DENY },
    { reason: DENY },
    { decision: "allow", reason: DENY, logs: [DENY] },
    { hookSpecificOutput: { additionalContext: DENY, tool_input: { content: DENY } } },
    { seen: { tool_input: { content: DENY, list: [DENY] } } },
    { note: `the file says ${DENY}` },
  ];
  for (const answer of quoted) {
    const { answer: said, failure } = interpret(exited(JSON.stringify(answer)));
    expect([answer, said?.blocks, failure]).toEqual([answer, false, undefined]);
  }
});

test("the words of arguments, requests and responses are not the hook's own", () => {
  const content = { decision: "deny", continue: false };
  const stdout = JSON.stringify({ hookSpecificOutput: { tool_input: content, tool_response: content } });
  expect(interpret(exited(stdout))).toMatchObject({ answer: { blocks: false, stops: false }, failure: undefined });
});

test.each([
  [{ decision: "no" }, 'decision "no"'],
  [{ decision: "blok" }, 'decision "blok"'],
  [{ decision: true }, "decision true"],
  [{ decision: "" }, 'decision ""'],
  [{ hookSpecificOutput: { permissionDecision: "nope" } }, 'permissionDecision "nope"'],
  [{ decison: "deny" }, '"decison"'],
  [{ Decision: "deny" }, '"Decision"'],
  [{ permission_decision: "deny" }, '"permission_decision"'],
  [{ continue: 0 }, "continue 0"],
  [{ contineu: false }, '"contineu"'],
  [{ hook_specific_output: { permission_decision: "deny" } }, '"hook_specific_output"'],
])("%o is a failure of the hook", (answer, message) => {
  for (const stdout of [JSON.stringify(answer), `INFO\n${JSON.stringify(answer)}`]) {
    expect(interpret(exited(stdout)).failure).toMatchObject({
      kind: "badAnswer",
      message: expect.stringContaining(message),
    });
  }
});

test.each([
  [{ action: "deny" }, '"action": "deny" and without a decision'],
  [{ behavior: "ask", message: "x" }, '"behavior": "ask"'],
  [{ blocked: true, reason: "x" }, '"blocked": true'],
  [{ ok: false, reason: "x" }, '"ok": false'],
  [{ allowed: false }, '"allowed": false'],
  [{ error: "policy.json is missing" }, 'an error and without a decision: "policy.json is missing"'],
])("%o sounds like an objection and is a failure, unless there is a decision", (answer, message) => {
  expect(interpret(exited(JSON.stringify(answer))).failure?.message).toContain(message);
  const decided = { ...answer, decision: "allow" };
  expect(interpret(exited(JSON.stringify(decided)))).toMatchObject({ answer: { allows: true }, failure: undefined });
});

test("a word without an object is text, which is a message", () => {
  for (const word of ["deny", " BLOCK\n", "deny nothing"]) {
    expect(interpret(exited(word))).toMatchObject({ answer: { messages: [word.trim()] }, failure: undefined });
  }
});

test("a signal whose code means nothing is a failure, also one named like a method", () => {
  for (const code of ["ABILITY_DENYED", "constructor", "toString"]) {
    const stdout = JSON.stringify({ hook_signals: [{ kind: "ability_guard", code }] });
    expect(interpret(exited(stdout), "PreAbilityCall").failure?.message).toContain(`"${code}" is not one of`);
  }
  const stdout = JSON.stringify({
    hook_signals: [
      { kind: "constructor", code: "x" },
      { kind: "__proto__", code: "x" },
    ],
  });
  expect(interpret(exited(stdout), "PreAbilityCall")).toMatchObject({ answer: { signals: [] }, failure: undefined });
});

describe("values of this process are read field by field", () => {
  const boom = () => {
    throw new Error("boom");
  };
  const ring: Record<string, unknown> = {};
  ring.self = ring;
  const throwing = (fields: object, key: string) => Object.defineProperty(fields, key, { get: boom, enumerable: true });
  const refusing = { ownKeys: boom, has: boom, getOwnPropertyDescriptor: boom, getPrototypeOf: boom };
  const endless = (): object =>
    new Proxy({}, { ownKeys: () => ["a"], get: (_, key) => (key === "a" ? endless() : undefined) });
  const unlisted = (fields: object) =>
    Object.defineProperties({}, Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, { value }])));
  class Hidden {
    readonly #answer = OBJECTION;
    toJSON() {
      return this.#answer;
    }
  }
  class Permission {
    get permissionDecision() {
      return "deny";
    }
    get permissionDecisionReason() {
      return "no";
    }
  }
  class Denial {
    get decision() {
      return "deny";
    }
    reason = "no";
  }

  test.each<[string, () => unknown]>([
    ["a BigInt beside it", () => ({ continue: false, stopReason: "no", decision: 1n })],
    ["a ring beside it", () => ({ continue: false, stopReason: "no", decision: ring })],
    ["a getter that throws, before it", () => Object.assign(throwing({}, "x"), OBJECTION)],
    ["a getter that throws, as systemMessage", () => throwing({ ...OBJECTION }, "systemMessage")],
    ["a getter that throws, as then", () => throwing({ ...OBJECTION }, "then")],
    [
      "a getter that throws in hookSpecificOutput",
      () => ({ hookSpecificOutput: throwing({ permissionDecision: "deny", permissionDecisionReason: "no" }, "x") }),
    ],
    ["a proxy that cannot be listed", () => new Proxy({ ...OBJECTION }, refusing)],
    ["getters of a class", () => new Denial()],
    ["a list around it", () => [OBJECTION]],
    ["a value without an end beside it", () => ({ ...OBJECTION, x: endless() })],
    ["a text", () => `no: ${DENY}`],
    ["a Map", () => new Map(Object.entries(OBJECTION))],
    ["Maps in a Map", () => new Map([["hookSpecificOutput", new Map(Object.entries(OBJECTION))]])],
    ["a Set", () => new Set([OBJECTION])],
    ["a String object", () => new String(DENY)],
    ["bytes", () => Buffer.from(DENY)],
    ["a String object as its decision", () => ({ decision: new String("deny"), reason: "no" })],
    ["a Boolean object", () => ({ continue: new Boolean(false), stopReason: "no" })],
    ["an Error", () => Object.assign(new Error("x"), OBJECTION)],
    ["a function with fields", () => Object.assign(() => {}, OBJECTION)],
    ["an object with only toJSON", () => ({ toJSON: () => OBJECTION })],
    ["fields beside a toJSON", () => ({ ...OBJECTION, toJSON: () => ({}) })],
    ["fields beside a toJSON that throws", () => ({ ...OBJECTION, toJSON: boom })],
    ["a private field behind toJSON", () => new Hidden()],
    ["a proxy that lists nothing", () => new Proxy({}, { get: (_, key) => Reflect.get(OBJECTION, key) })],
    ["inherited fields", () => Object.create(OBJECTION)],
    ["fields that are not enumerable", () => unlisted(OBJECTION)],
    ["getters in hookSpecificOutput", () => ({ hookSpecificOutput: new Permission() })],
    ["a Map in an unknown field", () => ({ result: { answers: new Map([["a", OBJECTION]]) } })],
    ["an instance in an unknown field", () => ({ result: { answer: new Denial() } })],
    ["an encoded objection", () => ({ hookSpecificOutput: DENY })],
  ])("%s", (_name, make) => {
    const { answer } = interpret({ kind: "returned", value: make() });
    expect(answer?.blocks || answer?.stops).toBe(true);
    expect([...(answer?.reasons ?? []), ...(answer?.stopReasons ?? [])]).toEqual(["no"]);
  });

  test.each<[string, () => unknown]>([
    ["an Error", () => new Error("policy.json is missing")],
    ["a function", () => () => OBJECTION],
    ["a Date", () => new Date()],
    ["a Response", () => new Response(DENY)],
    ["a generator", () => (function* () {})()],
    ["a Set", () => new Set(["deny"])],
    ["an array", () => []],
    ["a symbol", () => Symbol("deny")],
  ])("%s is not an answer but a failure", (_name, make) => {
    const { answer, failure } = interpret({ kind: "returned", value: make() });
    expect({ answer, failure }).toMatchObject({ answer: undefined, failure: { kind: "badAnswer" } });
  });

  test("an objection that is thrown stands, as a value, a text or the message of an error", () => {
    for (const error of [DENY, `no: ${DENY}`, new Error(DENY), new Map(Object.entries(OBJECTION))]) {
      expect(interpret({ kind: "threw", error }).answer).toMatchObject(BLOCK);
    }
  });

  test("a revoked proxy is a failure, and a thrown objection stands", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(interpret({ kind: "returned", value: proxy }).failure).toBeDefined();
    expect(interpret({ kind: "threw", error: proxy }).failure).toBeDefined();
    const error = Object.assign(new Error("x"), { decision: "deny", reason: "no" });
    expect(interpret({ kind: "threw", error }).answer).toMatchObject(BLOCK);
  });
});

describe("a line of a worker", () => {
  test.each([
    ["an objection beside the output", `{"id":7,"output":{},"decision":"deny","reason":"no"}`],
    ["an objection beside an error", `{"id":7,"error":"away","decision":"deny","reason":"no"}`],
    ["an objection in place of the output", '{"id":7,"decision":"deny","reason":"no"}'],
    ["a field named twice", `{"id":7,"output":{"decision":"deny","reason":"no","decision":"allow"}}`],
    ["text before it", `checking {"id":7,"output":${DENY}}`],
    ["text after it", `{"id":7,"output":${DENY}} done`],
    ["an id in quotes", `{"id":"7","output":${DENY}}`],
    ["the id at its end, and a raw tab", `{"output":{"reason":"no","x":"\t","decision":"deny"},"id":7}`],
    ["no end", `{"id":7,"output":{"decision":"deny","reason":"no`],
    ["an output that another one replaces", `{"id":7,"output":${DENY},"output":{}}`],
    ["an encoded objection", `{"id":7,"output":${JSON.stringify({ hookSpecificOutput: DENY })}}`],
    ["an encoded output in an output", `{"id":7,"output":{"output":${JSON.stringify(DENY)}}}`],
  ])("with %s objects", (_name, line) => {
    const answer = readWorkerLine(line, false);
    expect(answer?.id).toBe(7);
    expect(answer && interpret(answer.ending).answer).toMatchObject(BLOCK);
  });

  test("that only mentions the request is a log line", () => {
    for (const line of [
      'got {"id":7,"event":"BeforeTool","input":{}}',
      '{"id":7,"event":"BeforeTool","input":',
      'got {"id": 7, "event": "BeforeTool", "input": {"tool_input": {"output": {}}}}',
      'got {"event":"BeforeTool","id":7,"input":{"tool_input":{"error":"x"}}}',
      '{"id":7,"event":"BeforeTool","input":{"tool_input":{"output":',
      "id 7",
      'note {"id":7,"tool_input":{"output":{},"error":"x"}}',
      '{"id":7,"tool_input":{"output":{}}}',
      '{"id":7,"level":"info","msg":"asked"}',
      '{"id":7,"tool_input":{"output":',
    ]) {
      expect(readWorkerLine(line, false)).toBeUndefined();
    }
  });

  test("that is an answer without its output fails at once", () => {
    for (const line of [
      '{"id":7}',
      '{"id":7,"decision":"allow"}',
      '{"id":7,"output":{"a":',
      '{"output":{"a":\t"\t"},"id":7}',
    ]) {
      expect(readWorkerLine(line, false)).toMatchObject({ id: 7, ending: { kind: "cutOff" } });
    }
  });

  test("that is nested a million levels deep is read like any other", () => {
    const line = `{"id":7,"output":{"decision":"deny","reason":"no","x":${"[".repeat(1_000_000)}`;
    const answer = readWorkerLine(line, true);
    expect(answer && interpret(answer.ending).answer).toMatchObject(BLOCK);
  });
});
