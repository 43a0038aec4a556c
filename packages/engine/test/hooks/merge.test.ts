import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KNOWN_TOOLS } from "../../src/events/toolNames.ts";
import { type Answer, NO_ANSWER } from "../../src/hooks/answer/answer.ts";
import { MERGES } from "../../src/hooks/merge/index.ts";

const answer = (fields: Partial<Answer>): Answer => ({ ...NO_ANSWER, ...fields });
const context = (answers: readonly Answer[], trust = answers.map(() => 2)) => ({
  sequential: false,
  tools: KNOWN_TOOLS,
  trustOf: (index: number) => trust[index] ?? 2,
});
const merge = (name: keyof typeof MERGES, answers: Answer[], trust?: number[]) =>
  MERGES[name](answers, context(answers, trust));

const allow = answer({ allows: true, reasons: ["fine"] });
const block = answer({ blocks: true, reasons: ["no"] });
const stop = answer({ stops: true, stopReasons: ["halt"] });
const ask = answer({ asks: true, reasons: ["sure?"] });

describe("strictest", () => {
  test.each([
    ["nothing", [], { blocks: false, stops: false, asks: false, reasons: [] }],
    ["allow alone", [allow], { blocks: false, stops: false, asks: false, allows: true, reasons: [] }],
    ["a block beats an allow, wherever it stands", [block, allow], { blocks: true, allows: false, reasons: ["no"] }],
    ["a block and a stop add up", [stop, block], { blocks: true, stops: true, stopReasons: ["halt"], reasons: ["no"] }],
    [
      "two stops are both quoted, whichever field their reason is in",
      [answer({ stops: true, reasons: ["enough"] }), allow, stop],
      { stops: true, stopReasons: ["enough", "halt"] },
    ],
    ["an ask counts alone", [allow, ask], { asks: true, reasons: ["sure?"] }],
    [
      "an ask does not soften a block, and is quoted",
      [ask, block],
      { asks: false, blocks: true, reasons: ["sure?", "no"] },
    ],
    ["an ask does not soften a stop", [ask, stop], { asks: false, stops: true }],
  ])("%s", (_name, answers, expected) => {
    expect(merge("strictest", answers)).toMatchObject(expected);
  });

  test("contexts and messages of all survive, in plan order", () => {
    const merged = merge("strictest", [
      answer({ contexts: ["a"], messages: ["1"] }),
      answer({ contexts: ["b"], messages: ["2"], suppressOutput: true }),
    ]);
    expect(merged).toMatchObject({ contexts: ["a", "b"], messages: ["1", "2"], suppressOutput: true });
  });

  test("on the same key the earlier wins in parallel, the later in a chain, and true is never undone", () => {
    const answers = [
      answer({ specific: { x: 1, clearContext: true } }),
      answer({ specific: { x: 2, clearContext: false } }),
    ];
    expect(MERGES.strictest(answers, context(answers)).specific).toEqual({ x: 1, clearContext: true });
    expect(MERGES.strictest(answers, { ...context(answers), sequential: true }).specific).toEqual({
      x: 2,
      clearContext: true,
    });
  });
});

test("stopFirst: a stop beats a block", () => {
  expect(merge("stopFirst", [block, stop])).toMatchObject({ blocks: false, stops: true, reasons: ["no"] });
  expect(merge("stopFirst", [block])).toMatchObject({ blocks: true, stops: false });
});

test("collect and infra have no verdict", () => {
  expect(merge("collect", [block, answer({ contexts: ["c"] })])).toMatchObject({ blocks: false, contexts: ["c"] });
  expect(merge("infra", [answer({ logs: ["l"], messages: ["m"] })])).toMatchObject({ logs: ["l"], messages: [] });
});

describe("tool selection", () => {
  const choose = (mode: string | undefined, names?: string[]) =>
    answer({
      specific: { toolConfig: { ...(mode ? { mode } : {}), ...(names ? { allowedFunctionNames: names } : {}) } },
    });

  test.each([
    ["an empty answer chooses nothing", [answer({})], [2], undefined],
    ["NONE wins", [choose("ANY", ["glob"]), choose("NONE")], [2, 2], { mode: "NONE" }],
    ["ANY beats AUTO", [choose("AUTO"), choose("ANY")], [2, 2], { mode: "ANY" }],
    [
      "names are united within a layer, sorted, aliases resolved",
      [choose("ANY", ["Write"]), choose("AUTO", ["glob", "EditTool"])],
      [2, 2],
      { mode: "ANY", allowedFunctionNames: ["glob", "replace", "write_file"] },
    ],
    [
      "and intersected across layers",
      [choose("ANY", ["glob", "replace"]), choose("ANY", ["Edit", "write_file"])],
      [2, 3],
      { mode: "ANY", allowedFunctionNames: ["replace"] },
    ],
    [
      "an empty intersection with ANY is NONE",
      [choose("ANY", ["glob"]), choose("ANY", ["replace"])],
      [2, 3],
      { mode: "NONE" },
    ],
    [
      "no list adds nothing",
      [choose("AUTO"), choose(undefined, ["glob"])],
      [2, 3],
      { mode: "AUTO", allowedFunctionNames: ["glob"] },
    ],
    ["a block means no tools", [choose("ANY", ["glob"]), block], [2, 2], { mode: "NONE" }],
  ])("%s", (_name, answers, trust, toolConfig) => {
    expect(merge("toolSelection", answers, trust).specific.toolConfig).toEqual(toolConfig);
  });
});

describe("laws", () => {
  const texts = fc.array(fc.string(), { maxLength: 2 });
  const answers = fc.array(
    fc
      .record({
        blocks: fc.boolean(),
        stops: fc.boolean(),
        asks: fc.boolean(),
        allows: fc.boolean(),
        reasons: texts,
        contexts: texts,
      })
      .map(answer),
    { maxLength: 6 },
  );
  const verdict = ({ blocks, stops, asks }: { blocks: boolean; stops: boolean; asks: boolean }) => ({
    blocks,
    stops,
    asks,
  });

  test("no objection is lost: one objector makes an objection, whoever else answers", () => {
    fc.assert(
      fc.property(answers, (list) => {
        const merged = merge("strictest", list);
        expect(merged.blocks).toBe(list.some((one) => one.blocks));
        expect(merged.stops).toBe(list.some((one) => one.stops));
        if (list.some((one) => one.asks)) expect(merged.blocks || merged.stops || merged.asks).toBe(true);
      }),
    );
  });

  test("the verdict does not depend on the order, and every reason and context survives in plan order", () => {
    fc.assert(
      fc.property(answers, (list) => {
        expect(verdict(merge("strictest", list.toReversed()))).toEqual(verdict(merge("strictest", list)));
        expect(merge("strictest", list).contexts).toEqual(list.flatMap((one) => one.contexts));
        const objectors = list.filter((one) => one.blocks || one.stops || one.asks);
        expect(merge("strictest", list).reasons).toEqual(objectors.flatMap((one) => one.reasons));
      }),
    );
  });

  test("saying it twice changes no verdict", () => {
    fc.assert(
      fc.property(answers, (list) => {
        expect(verdict(merge("strictest", [...list, ...list]))).toEqual(verdict(merge("strictest", list)));
      }),
    );
  });

  test("merging what was merged, with more, is merging all at once", () => {
    fc.assert(
      fc.property(answers, answers, (first, second) => {
        const stepwise = merge("strictest", [answer(merge("strictest", first)), ...second]);
        const atOnce = merge("strictest", [...first, ...second]);
        expect({ blocks: stepwise.blocks, stops: stepwise.stops }).toEqual({
          blocks: atOnce.blocks,
          stops: atOnce.stops,
        });
      }),
    );
  });
});
