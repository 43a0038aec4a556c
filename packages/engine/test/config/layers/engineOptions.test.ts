import { expect, test } from "vitest";
import { DEFAULT_OPTIONS } from "../../../src/config/values/options.ts";
import { PROJECT_FILE, SYSTEM_SETTINGS, USER_FILE, workspace } from "../workspace.ts";

test("without settings the defaults hold", async () => {
  const space = await workspace();
  const { options, optionsWithoutProject, hooks, problems } = await space.load();
  expect({ options, optionsWithoutProject, hooks, problems }).toEqual({
    options: DEFAULT_OPTIONS,
    optionsWithoutProject: DEFAULT_OPTIONS,
    hooks: [],
    problems: [],
  });
});

test("every key is read, and the most trusted layer that sets it wins", async () => {
  const space = await workspace({
    [PROJECT_FILE]: { hooksConfig: { maxParallel: 1, killGrace: "1s", outputLimit: "64KiB", workerIdle: "1m" } },
    [USER_FILE]: {
      hooksConfig: {
        killGrace: "3s",
        outputLimit: "2MB",
        passEnv: ["A"],
        http: { allowHosts: ["intranet"] },
        asks: "hookline",
      },
    },
    [SYSTEM_SETTINGS]: {
      hooksConfig: {
        outputLimit: "4MiB",
        allowSkipsConfirmation: true,
        journal: {
          maxAge: "12h",
          maxSize: "2MiB",
          payloadLimit: 2048,
          originals: true,
          redact: { keys: ["iban"], patterns: ["KD-\\d+"] },
        },
      },
    },
  });
  const { options, optionsWithoutProject, problems } = await space.load();
  expect(problems).toEqual([]);
  expect(options).toEqual({
    maxParallel: 1,
    killGraceMs: 3_000,
    outputLimitBytes: 4_194_304,
    workerIdleMs: 60_000,
    passEnv: ["A"],
    allowSkipsConfirmation: true,
    httpAllowHosts: ["intranet"],
    asks: "hookline",
    journal: {
      enabled: true,
      maxAgeMs: 12 * 3_600_000,
      maxBytes: 2_097_152,
      payloadBytes: 2_048,
      originals: true,
      redactKeys: ["iban"],
      redactPatterns: ["KD-\\d+"],
    },
  });
  expect(optionsWithoutProject).toEqual({ ...options, maxParallel: 8, workerIdleMs: 300_000 });
});

test.each([
  [{ asks: "me" }, 'error "hooksConfig.asks" "me" is neither "host" nor "hookline".'],
  [{ maxParallel: 0 }, 'error "hooksConfig.maxParallel" 0 is not a number from 1 to 256; write 8.'],
  [{ maxParallel: "8" }, 'error "hooksConfig.maxParallel" "8" is not a number from 1 to 256; write 8.'],
  [{ killGrace: "soon" }, 'error "hooksConfig.killGrace" "soon" is not a duration; write "250ms", "5s", "2m" or "1h".'],
  [
    { outputLimit: "big" },
    'error "hooksConfig.outputLimit" "big" is not a size; write "1MiB", "512KiB" or a number of bytes.',
  ],
  [{ passEnv: "HOME" }, 'error "hooksConfig.passEnv" "HOME" is not a list of names; write ["NAME"].'],
  [{ allowSkipsConfirmation: 1 }, 'error "hooksConfig.allowSkipsConfirmation" 1 is neither true nor false.'],
  [
    { http: { allowHost: [] } },
    'error "hooksConfig.http" {"allowHost":[]} cannot be read; write { "allowHosts": ["example.org"] }.',
  ],
  [{ maxParalel: 3 }, 'error "maxParalel" is not a key of "hooksConfig". Did you mean "maxParallel"?'],
])("%j is reported, and the default holds", async (hooksConfig, said) => {
  const space = await workspace({ [USER_FILE]: { hooksConfig } });
  const { options, problems } = await space.load();
  expect(problems.map(({ severity, what }) => `${severity} ${what}`)).toEqual([said]);
  expect(options).toEqual(DEFAULT_OPTIONS);
});

test("a bare number of time is read, and the reading is told", async () => {
  const space = await workspace({ [USER_FILE]: { hooksConfig: { killGrace: 5 } } });
  const { options, problems } = await space.load();
  expect(options.killGraceMs).toBe(5_000);
  expect(problems).toMatchObject([{ severity: "warning", what: 'killGrace 5 is read as 5 s; write "5s".' }]);
});

test("a .gemini file sets no option, and its other keys are its own", async () => {
  const space = await workspace({
    "home/.gemini/settings.json": { hooksConfig: { maxParallel: 1, passEnv: ["A"], notifications: true } },
  });
  const { options, problems } = await space.load();
  expect(options).toEqual(DEFAULT_OPTIONS);
  expect(problems.map(({ severity, what }) => `${severity} ${what}`)).toEqual([
    'warning "hooksConfig.maxParallel" is not read from a .gemini file.',
    'warning "hooksConfig.passEnv" is not read from a .gemini file.',
  ]);
});
