import fc from "fast-check";
import { parse } from "jsonc-parser";
import { expect, test } from "vitest";
import { withGroups, withoutGroups } from "../../src/hosts/hookEntries.ts";
import type { HookGroup } from "../../src/hosts/seat.ts";

const isOurs = (hook: unknown) => typeof hook === "object" && hook !== null && "ours" in hook;
const options = { file: "settings.json", isOurs };
const group = (timeout: number): HookGroup => ({ hooks: [{ type: "command", timeout, ours: true }] });
const WANTED = new Map([
  ["PreToolUse", group(1)],
  ["Stop", group(2)],
]);
const PRE = '{ "hooks": [ { "type": "command", "timeout": 1, "ours": true } ] }';
const STOP = '{ "hooks": [ { "type": "command", "timeout": 2, "ours": true } ] }';
const ALONE = `{
  "hooks": {
    "PreToolUse": [
      ${PRE}
    ],
    "Stop": [
      ${STOP}
    ]
  }
}
`;

test.each<[string, string, string]>([
  ["an empty object", "{}\n", ALONE],
  ["one line", '{"a":1}', `{"a":1, "hooks": { "PreToolUse": [${PRE}], "Stop": [${STOP}] }}`],
  [
    "a comment behind the last key",
    '{\n  "a": 1 // one\n}\n',
    `{\n  "a": 1, // one\n  "hooks": {${ALONE.slice('{\n  "hooks": {'.length)}`,
  ],
  [
    "hooks of others, with a comment, tabs, and a comma at the end",
    '{\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{ "hooks": [] }, // theirs\n\t\t],\n\t},\n}',
    `{\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t{ "hooks": [] }, // theirs\n\t\t\t${STOP},\n\t\t],\n\t\t"PreToolUse": [\n\t\t\t${PRE}\n\t\t],\n\t},\n}`,
  ],
  ["lines of Windows", "{\r\n}\r\n", ALONE.replaceAll("\n", "\r\n")],
  [
    "hooks of ours that say something else, and under an event that is no longer wanted",
    ALONE.replace('"timeout": 1', '"timeout": 9').replace('"Stop"', '"Setup"'),
    `{
  "hooks": {
    "PreToolUse": [
      ${PRE}
    ],
    "Setup": [
    ],
    "Stop": [
      ${STOP}
    ]
  }
}
`,
  ],
  ["the same hook twice", ALONE.replace(PRE, `${PRE},\n      ${PRE}`), ALONE],
])("groups are added to %s, and nothing else changes", (_what, text, expected) => {
  const added = withGroups(text, WANTED, options);
  expect(parse(added)).toEqual(parse(expected));
  expect(sorted(added)).toBe(sorted(expected));
  expect(withGroups(added, WANTED, options)).toBe(added);
});

/** Which event comes first does not matter. */
function sorted(text: string): string {
  return text.split("\n").toSorted().join("\n").replaceAll(",", "");
}

test.each<[string, string, string | undefined, string]>([
  ["only ours", ALONE, undefined, "{\n}\n"],
  [
    "lists that were there before",
    ALONE,
    '{ "hooks": { "Stop": [] } }',
    '{\n  "hooks": {\n    "Stop": [\n    ]\n  }\n}\n',
  ],
  [
    "a hook of another in our group",
    `{"hooks":{"Stop":[{"hooks":[{"ours":1},{"theirs":1}]}]}}`,
    undefined,
    `{"hooks":{"Stop":[{"hooks":[{"theirs":1}]}]}}`,
  ],
  [
    "a comment in our group",
    `{"hooks":{"Stop":[{"hooks":[{"ours":1}] /* why */}]}}`,
    undefined,
    `{"hooks":{"Stop":[{"hooks":[] /* why */}]}}`,
  ],
  [
    "a comment in our list",
    `{"hooks":{"Stop":[{"hooks":[{"ours":1}]} /* why */]}}`,
    undefined,
    `{"hooks":{"Stop":[/* why */]}}`,
  ],
])("hooks of ours are removed: %s", (_what, text, before, expected) => {
  expect(withoutGroups(text, { ...options, before })).toBe(expected);
});

test.each([
  ['{\n  "hooks": 3\n}', 2, 12],
  ['{\n  "hooks": {\n    "Stop": {}\n  }\n}', 3, 13],
])("a file that the host would not read like that is refused with its place: %j", (text, line, column) => {
  const place = expect.objectContaining({ file: "settings.json", line, column });
  expect(() => withGroups(text, WANTED, options)).toThrow(
    expect.objectContaining({ code: "CONFIG_INVALID", where: place }),
  );
});

test("whatever the layout, adding and removing change our hooks alone, and keep every comment", () => {
  const space = fc.constantFrom("", " ", "\n  ", "\t", " /* c */ ", "\n // c\n  ", "\r\n");
  const theirs = fc.constantFrom('{"hooks":[{"theirs":1}]}', '{"matcher":"// no comment","hooks":[]}', '"odd"');
  const list = fc.tuple(fc.array(fc.tuple(theirs, space, space), { maxLength: 3 }), fc.boolean());
  fc.assert(
    fc.property(
      list,
      space,
      space,
      fc.constantFrom("Stop", "PreToolUse", "Setup"),
      ([groups, trailing], a, b, event) => {
        const written = groups.map(([text, before, after]) => `${before}${text}${after}`).join(",");
        const comma = trailing && groups.length > 0 ? "," : "";
        const text = `{${a}"hooks":${b}{"${event}":${a}[${written}${comma}${b}]${a}}${b},"model":"m"${a}}`;
        const added = withGroups(text, WANTED, options);
        const removed = withoutGroups(added, { ...options, before: text });
        const before = strictly(text);
        const has = strictly(added);
        expect(has).toMatchObject({ model: "m" });
        for (const [name, wanted] of WANTED) {
          const had = before.hooks[name] ?? [];
          expect(has.hooks[name]).toEqual([...had, wanted]);
        }
        expect(strictly(removed)).toEqual(before);
        expect([comments(added), comments(removed)]).toEqual([comments(text), comments(text)]);
        expect(withGroups(added, WANTED, options)).toBe(added);
      },
    ),
  );
});

interface Settings {
  readonly hooks: Readonly<Record<string, readonly unknown[]>>;
}

function strictly(text: string): Settings {
  const errors: never[] = [];
  const value: Settings = parse(text, errors, { allowTrailingComma: true });
  expect(errors).toEqual([]);
  return value;
}

function comments(text: string): number {
  const withoutStrings = text.replace(/"(?:[^"\\]|\\.)*"/g, "");
  return withoutStrings.split(/\/\* c \*\/|\/\/ c\r?\n/).length;
}
