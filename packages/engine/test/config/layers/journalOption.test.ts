import { describe, expect, test } from "vitest";
import { DEFAULT_OPTIONS } from "../../../src/config/values/options.ts";
import { PROJECT_FILE, SYSTEM_SETTINGS, USER_FILE, workspace } from "../workspace.ts";

const DEFAULTS = DEFAULT_OPTIONS.journal;
const DAY_MS = 24 * 3_600_000;
const UNSURE = "Until this is fixed, the journal keeps no input, output or reason.";

/** What holds when these files are read, and what is said about them. */
async function journalOf(files: Readonly<Record<string, unknown>>) {
  const space = await workspace(files);
  const { options, problems } = await space.load();
  return { journal: options.journal, said: space.said(problems), next: problems.map(({ next }) => next) };
}

const configured = (journal: unknown) => ({ hooksConfig: { journal } });

test("a mistake is reported where it stands, and the rest of the setting holds", async () => {
  const lines = [
    '{ "hooksConfig": { "journal": {',
    '  "enabled": false,',
    '  "maxAge": 30,',
    '  "maxSize": "1KiB",',
    '  "payloadLimit": "much",',
    '  "redact": { "patterns": ["KD-[0-9]+"], "keys": ["iban"] }',
    "} } }",
  ];
  const { journal, said } = await journalOf({ [USER_FILE]: lines.join("\n") });
  expect(journal).toEqual({ ...DEFAULTS, enabled: false, redactKeys: ["iban"], redactPatterns: ["KD-[0-9]+"] });
  expect(said).toEqual([
    `${USER_FILE}:3:13 error "hooksConfig.journal.maxAge" 30 is not an age; write "12h" or "30d".`,
    `${USER_FILE}:4:14 error "hooksConfig.journal.maxSize" "1KiB" is too small; write "1MiB" or more.`,
    `${USER_FILE}:5:19 error "hooksConfig.journal.payloadLimit" "much" is not a size; write "1MiB", "512KiB" or a number of bytes.`,
  ]);
});

test("each pattern and key is read by itself; where one cannot be, no payload is kept", async () => {
  const lines = [
    '{ "hooksConfig": { "journal": { "payloadLimit": "2KiB", "redact": {',
    '  "patterns": ["KD-[0-9]+", "(KD"],',
    '  "keys": ["iban", 7, ""]',
    "} } } }",
  ];
  const { journal, said, next } = await journalOf({ [USER_FILE]: lines.join("\n") });
  expect(journal).toEqual({ ...DEFAULTS, payloadBytes: 0, redactKeys: ["iban"], redactPatterns: ["KD-[0-9]+"] });
  const keys = '"hooksConfig.journal.redact.keys"';
  expect(said).toEqual([
    `${USER_FILE}:2:29 error "hooksConfig.journal.redact.patterns" has "(KD", which is not a regular expression (Unterminated group). ${UNSURE}`,
    `${USER_FILE}:3:20 error ${keys} has 7, which is not a non-empty string. ${UNSURE}`,
    `${USER_FILE}:3:23 error ${keys} has "", which is not a non-empty string. ${UNSURE}`,
  ]);
  expect(next[0]).toBe('Write a list of texts, such as ["KD-\\\\d{6}"].');
});

describe("what may have been meant to keep something out of the journal leaves it without payloads", () => {
  test.each([
    [false, '"hooksConfig.journal" must be an object, got false.'],
    [{ enabled: "false" }, '"hooksConfig.journal.enabled" "false" is neither true nor false; write it without quotes.'],
    [{ enable: false }, '"enable" is not a field of "hooksConfig.journal". Did you mean "enabled"?'],
    [{ redacts: {} }, '"redacts" is not a field of "hooksConfig.journal". Did you mean "redact"?'],
    [{ patterns: ["KD"] }, '"patterns" is not a field of "hooksConfig.journal".'],
    [{ redact: ["KD"] }, '"hooksConfig.journal.redact" must be an object, got ["KD"].'],
    [{ redact: null }, '"hooksConfig.journal.redact" must be an object, got null.'],
    [{ redact: { patterns: "KD" } }, '"hooksConfig.journal.redact.patterns" must be a list, got "KD".'],
    [
      { redact: { pattern: ["KD"] } },
      '"pattern" is not a field of "hooksConfig.journal.redact". Did you mean "patterns"?',
    ],
  ])("%j", async (value, what) => {
    const { journal, said } = await journalOf({ [USER_FILE]: configured(value) });
    expect(journal).toEqual({ ...DEFAULTS, payloadBytes: 0 });
    expect(said).toEqual([expect.stringContaining(`error ${what} ${UNSURE}`)]);
  });

  test("also a misspelt name of the whole setting", async () => {
    const { journal, said } = await journalOf({ [USER_FILE]: { hooksConfig: { jounral: { enabled: false } } } });
    expect(journal).toEqual({ ...DEFAULTS, payloadBytes: 0 });
    expect(said).toEqual([
      `${USER_FILE}:3:5 error "jounral" is not a key of "hooksConfig". Did you mean "journal"? ${UNSURE}`,
    ]);
  });

  test("also a file of the user or the system that cannot be read at all, and no project's", async () => {
    const broken = '{ "hooksConfig": { "journal": { "redact": ';
    expect((await journalOf({ [USER_FILE]: broken })).journal).toEqual({ ...DEFAULTS, payloadBytes: 0 });
    expect((await journalOf({ [SYSTEM_SETTINGS]: broken })).journal).toEqual({ ...DEFAULTS, payloadBytes: 0 });
    expect((await journalOf({ [PROJECT_FILE]: broken })).journal).toEqual(DEFAULTS);
  });

  test("whatever the stronger file says about their size", async () => {
    const { journal } = await journalOf({
      [USER_FILE]: configured({ redact: { patterns: ["("] } }),
      [SYSTEM_SETTINGS]: configured({ payloadLimit: "1MiB" }),
    });
    expect(journal.payloadBytes).toBe(0);
  });
});

test("a misspelt limit hides nothing, and the payloads are kept", async () => {
  const { journal, said } = await journalOf({ [USER_FILE]: configured({ maxage: "1d" }) });
  expect(journal).toEqual(DEFAULTS);
  expect(said).toEqual([
    `${USER_FILE}:4:7 error "maxage" is not a field of "hooksConfig.journal". Did you mean "maxAge"?`,
  ]);
});

test("no payloads at all can be asked for", async () => {
  const { journal, said } = await journalOf({ [USER_FILE]: configured({ payloadLimit: 0 }) });
  expect({ journal, said }).toEqual({ journal: { ...DEFAULTS, payloadBytes: 0 }, said: [] });
});

test("the system's file wins field by field, and what either file wants hidden is hidden", async () => {
  const { journal, said } = await journalOf({
    [USER_FILE]: configured({
      enabled: false,
      maxAge: "1d",
      payloadLimit: "2KiB",
      originals: true,
      redact: { keys: ["iban", "pin"], patterns: ["KD-\\d+"] },
    }),
    [SYSTEM_SETTINGS]: configured({
      enabled: true,
      maxAge: "90d",
      originals: false,
      redact: { keys: ["iban", "bic"] },
    }),
  });
  expect({ journal, said }).toEqual({
    journal: {
      enabled: true,
      maxAgeMs: 90 * DAY_MS,
      maxBytes: DEFAULTS.maxBytes,
      payloadBytes: 2_048,
      originals: false,
      redactKeys: ["iban", "pin", "bic"],
      redactPatterns: ["KD-\\d+"],
    },
    said: [],
  });
});

test("where a key stands twice, what both want hidden is hidden", async () => {
  const text = `{ "hooksConfig": {
    "journal": { "redact": { "keys": ["a"], "keys": ["b"] }, "redact": { "patterns": ["c"] } },
    "journal": { "redact": { "patterns": ["d"] } }
  } }`;
  const { journal, said } = await journalOf({ [USER_FILE]: text });
  expect(journal).toEqual({ ...DEFAULTS, redactKeys: ["a", "b"], redactPatterns: ["c", "d"] });
  expect(said.map((line) => line.replace(/.* error /, ""))).toEqual([
    '"keys" appears twice here; the first is on line 2.',
    '"redact" appears twice here; the first is on line 2.',
    '"journal" appears twice here; the first is on line 2.',
  ]);
});

test.each([
  { journal: { enabled: false, redact: { patterns: ["."] } } },
  { journal: false },
  { journal: { redact: { patterns: ["("] } } },
  { jounral: {} },
])("a project that says %j takes nothing out of the journal", async (hooksConfig) => {
  const { journal } = await journalOf({ [PROJECT_FILE]: { hooksConfig } });
  expect(journal).toEqual(DEFAULTS);
});
