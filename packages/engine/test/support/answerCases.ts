import fc from "fast-check";

/** A verdict as a hook may give it, with what it must come to on an event that can block, stop and ask. */
interface Planted {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly effect: "blocks" | "stops" | "asks";
}

const WORDS = ["deny", "block", "DENY", " Block ", "denied", "blocked", "reject", "Rejected", "refuse"];

const verdict: fc.Arbitrary<Planted> = fc.oneof(
  fc.constantFrom(...WORDS).map((word): Planted => ({ fields: { decision: word }, effect: "blocks" })),
  fc.constantFrom(...WORDS).map((word): Planted => ({ fields: { permissionDecision: word }, effect: "blocks" })),
  fc.constantFrom<Planted>(
    { fields: { decision: "ask" }, effect: "asks" },
    { fields: { continue: false }, effect: "stops" },
    { fields: { hookSpecificOutput: { permissionDecision: "deny" } }, effect: "blocks" },
    { fields: { hookSpecificOutput: { hookEventName: "BeforeTool", permissionDecision: "ask" } }, effect: "asks" },
  ),
);

/** Harmless members: no key that means anything, no text that could be read as a verdict. */
const plainText = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.constantFrom("}", "{", '"', "\\", '\\"', "a\nb", "é😀", "\u0000", "\ud800", '{"a":1}', "x".repeat(300)),
);
const member = fc.oneof(plainText, fc.integer(), fc.constantFrom<unknown>(null, true, [], {}, [[1]], { a: { b: [] } }));
const members = fc.dictionary(fc.constantFrom("a", "msg", "level", "é", "__proto__", "toString", "reason"), member, {
  maxKeys: 3,
});

/** The objection in one object: beside other members, before or behind them, possibly deep inside an unknown one. */
const objector = fc.record({ verdict, before: members, after: members, depth: fc.nat({ max: 3 }) }).map((parts) => {
  const { fields, effect } = parts.verdict;
  let object: Record<string, unknown> = { ...parts.before, ...fields, ...parts.after };
  for (let level = 0; level < parts.depth; level++) object = level % 2 ? { items: [object] } : { result: object };
  return { object, effect };
});

const BENIGN = [
  { decision: "allow", hookSpecificOutput: { tool_input: { command: "FORGED" } } },
  { decision: "approve", systemMessage: "FORGED" },
  { hookSpecificOutput: { additionalContext: "FORGED", tailToolCallRequest: { name: "FORGED", args: {} } } },
  { continue: true, suppressOutput: true },
  { hookSpecificOutput: { prompt: "FORGED", llm_response: { text: "FORGED" } } },
  { level: 30, msg: "done" },
  {},
].map((object) => JSON.stringify(object));

const FRAGMENTS = [
  ..."{}[]\":,\\\n\t '`<",
  "\u001b[31m",
  "\u001b[0m",
  '{"a":',
  '{"a":"',
  "```json\n",
  '{"{',
  '\\"',
  "INFO ",
  "null",
  "é😀",
];

const torn = fc.tuple(fc.constantFrom(...BENIGN), fc.nat({ max: 60 })).map(([text, end]) => text.slice(0, end));
const bytes = fc.uint8Array({ maxLength: 6 }).map((array) => Buffer.from(array).toString());
const huge = fc
  .tuple(fc.constantFrom("{", '{"a":', '{"', '"{', "[", "{}", "\\", "x", '{"a":[{'), fc.integer({ min: 50, max: 400 }))
  .map(([unit, times]) => unit.repeat(times));

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...FRAGMENTS) },
  { weight: 3, arbitrary: fc.constantFrom(...BENIGN) },
  { weight: 2, arbitrary: torn },
  { weight: 2, arbitrary: plainText },
  { weight: 1, arbitrary: bytes },
  { weight: 1, arbitrary: huge },
);
const noise = fc
  .tuple(fc.array(piece, { maxLength: 6 }), fc.constantFrom("", " ", "\n"))
  .map(([pieces, between]) => pieces.join(between));

/** A text with one objection somewhere in it. */
export interface Objecting {
  readonly text: string;
  readonly effect: Planted["effect"];
  /** It is the text's only content, so that it counts as an answer with everything in it. */
  readonly alone: boolean;
}

const written = fc
  .tuple(objector, fc.constantFrom(0, 1, "\t"), fc.boolean())
  .map(([{ object, effect }, indent, isRaw]) => {
    const text = JSON.stringify(object, null, indent);
    // As a shell script prints it that does not escape what it puts into its JSON.
    return { text: isRaw ? text.replaceAll("\\n", "\n") : text, effect };
  });

export const objecting: fc.Arbitrary<Objecting> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(noise, written, noise)
      .map(([before, { text, effect }, after]) => ({ text: before + text + after, effect, alone: false })),
  },
  { weight: 1, arbitrary: written.map(({ text, effect }) => ({ text, effect, alone: true })) },
  { weight: 1, arbitrary: written.map(({ text, effect }) => ({ text: JSON.stringify(text), effect, alone: true })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(written, fc.constantFrom("hookSpecificOutput", "result", "output", "decision"), members)
      .map(([{ text, effect }, key, beside]) => ({
        text: JSON.stringify({ ...beside, [key]: text }),
        effect,
        alone: true,
      })),
  },
);

/** Texts without any verdict against the action. */
export const harmless: fc.Arbitrary<string> = noise;

const READABLE = ["plain", "getter", "bigint", "ring", "proxy", "class", "list", "frozen"] as const;
const WRAPPED = ["map", "set", "string", "bytes", "error", "function", "toJSON", "toJSONBeside"] as const;
/** Its fields can only be asked for by name. */
const UNLISTED = ["getters", "unlisted", "answersOnly", "inherited"] as const;

/** Values that a function may return, each with an objection and something that is hard to read. */
export const objectingValue: fc.Arbitrary<{
  readonly way: Way;
  readonly make: () => unknown;
  readonly effect: Planted["effect"];
}> = fc
  .oneof(
    fc.tuple(
      objector,
      fc.constantFrom(...READABLE, ...WRAPPED),
      fc.constantFrom("systemMessage", "zzz", "hookSpecificOutput2", "reason", "logs"),
    ),
    fc.tuple(
      verdict.map(({ fields, effect }) => ({ object: fields, effect })),
      fc.constantFrom(...UNLISTED),
      fc.constant(""),
    ),
  )
  .map(([{ object, effect }, way, key]) => ({ effect, way, make: () => hardToRead(object, way, key) }));

type Way = (typeof READABLE | typeof WRAPPED | typeof UNLISTED)[number];

function hardToRead(object: Readonly<Record<string, unknown>>, way: Way, key: string): unknown {
  const copy: Record<string, unknown> = { ...object };
  const boom = () => {
    throw new Error("boom");
  };
  switch (way) {
    case "plain":
      return copy;
    case "getter":
      return Object.defineProperty(copy, key, { get: boom, enumerable: true, configurable: true });
    case "bigint":
      return Object.assign(copy, { [key]: 1n });
    case "ring":
      return Object.assign(copy, { [key]: copy });
    case "proxy":
      return new Proxy(copy, { has: boom, set: boom });
    case "class":
      return Object.assign(Object.create({ inherited: true }), copy);
    case "list":
      return [1, [copy]];
    case "frozen":
      return Object.freeze(copy);
    case "map":
      return new Map(Object.entries(copy));
    case "set":
      return new Set([1, copy]);
    case "string":
      return new String(JSON.stringify(copy));
    case "bytes":
      return Buffer.from(JSON.stringify(copy));
    case "error":
      return Object.assign(new Error(key), copy);
    case "function":
      return Object.assign(() => {}, copy);
    case "toJSON":
      return { toJSON: () => copy };
    case "toJSONBeside":
      return { ...copy, toJSON: key === "zzz" ? boom : () => ({}) };
    case "getters":
      return Object.create(
        Object.defineProperties(
          {},
          descriptors(copy, (value) => ({ get: () => value })),
        ),
      );
    case "unlisted":
      return Object.defineProperties(
        {},
        descriptors(copy, (value) => ({ value })),
      );
    case "answersOnly":
      return new Proxy({}, { get: (_, asked) => Reflect.get(copy, asked) });
    case "inherited":
      return Object.create(Object.create(copy));
  }
}

function descriptors(fields: object, describe: (value: unknown) => PropertyDescriptor): PropertyDescriptorMap {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, describe(value)]));
}
