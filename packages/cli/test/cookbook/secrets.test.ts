import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { endOf } from "../support/machine.ts";
import { hasProgram } from "../support/programs.ts";
import { filesOf, folderOf, machineWith } from "./recipes.ts";

// Each recipe can be copied alone, so four of them repeat what secrets look like. None may know less than the others.

const KEYS = [
  "AKIAIOSFODNN7EXAMPLE",
  "ASIAIOSFODNN7EXAMPLE",
  "AIzaSyA1234567890abcdefghijklmnopqrstuv",
  "npm_abcdefghijklmnopqrstuvwxyz0123456789",
  "glpat-abcdefghij1234567890",
  "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
  "github_pat_abcdefghij1234567890AB",
  "xoxb-1234567890-abcdefghij",
  "sk_live_abcdefghijklmnop1234",
  "sk-proj-abcdefghijklmnopqrstuvwxyz",
  "sk-ant-api03-abcdefghijklmnopqrstuvwxyz",
];
const SECRET = "S3cr3tS3cr3tS3cr3tS3cr3t";
const WITH_SECRET = [
  `DB_PASSWORD=${SECRET}`,
  `PGPASSWORD=${SECRET} psql`,
  `GITHUB_TOKEN=${SECRET}`,
  `AWS_SECRET_ACCESS_KEY=${SECRET}`,
  `api_key: "${SECRET}"`,
  `Authorization: Bearer ${SECRET}`,
  `postgres://user:${SECRET}@db.example.org/app`,
  `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${SECRET}\n-----END RSA PRIVATE KEY-----`,
];

test("the four copies of what keys look like say the same", () => {
  const copies = {
    "secret-scan": ".hookline/hooks/secret-scan.mjs",
    "redact-answers": ".hookline/hooks/redact-answers.mjs",
    "audit-export": ".system/hooks/audit_export.py",
    "prompt-log": ".system/hooks/prompt-log.sh",
  };
  const shapes = Object.entries(copies).map(([recipe, file]) => shapesIn(filesOf(recipe).get(file) ?? ""));
  expect(shapes[0]).toHaveLength(10);
  expect(shapes).toEqual(shapes.map(() => shapes[0]));
});

describe.each([...KEYS, ...WITH_SECRET])("%s", (text) => {
  test("is kept out of files by secret-scan", async () => {
    const secretScan = await hookOf("secret-scan");
    expect(secretScan({ tool_name: "write_file", tool_input: { content: text } })).toMatchObject({ decision: "deny" });
  });

  test.runIf(hasProgram("python3"))("is kept out of the log by audit-export", async () => {
    const input = {
      tool_name: "run_shell_command",
      tool_input: { command: text },
      tool_response: {},
      tool_call_id: "c",
    };
    const log = await logOf("audit-export", ["python3", "-I", ".system/hooks/audit_export.py"], input);
    expect(log).toContain("[redacted]");
    expect(secretsIn(log)).toEqual([]);
  });

  test.runIf(hasProgram("jq"))("is kept out of the log by prompt-log", async () => {
    const log = await logOf("prompt-log", ["sh", ".system/hooks/prompt-log.sh"], { prompt: `Take ${text}.` });
    expect(log).toMatch(/\[(redacted|key|private key)\]/);
    expect(secretsIn(log)).toEqual([]);
  });
});

test.each(KEYS)("%s is masked by redact-answers", async (key) => {
  const redactAnswers = await hookOf("redact-answers");
  const answer = redactAnswers({ llm_response: { text: `Take ${key}.`, candidates: [] } });
  expect(answer).toEqual({ hookSpecificOutput: { llm_response: { text: "Take [key].", candidates: [] } } });
});

test("redact-answers takes its time for a long row of numbers, and no more", async () => {
  const redactAnswers = await hookOf("redact-answers");
  const text = `${"7 ".repeat(300_000)}4111111111111111`;
  const answer = redactAnswers({ llm_response: { text, candidates: [] } });
  expect(JSON.stringify(answer)).toContain("[card number]");
}, 20_000);

function secretsIn(text: string): readonly string[] {
  return [SECRET, ...KEYS].filter((secret) => text.includes(secret));
}

/** The shapes stand in strings, without a backslash, so that they read the same in every language. */
function shapesIn(script: string): readonly string[] {
  const strings = [...script.matchAll(/"([^"\n]*)"/g)].map(([, string = ""]) => string);
  const alternatives = strings.flatMap((string) => string.split(/\|(?![^(]*\))/));
  return alternatives
    .filter((shape) => /^(AKIA|ASIA|AIza|npm_|glpat|gh\[|github_pat|xox|\[rs\]k|sk-\()/.test(shape))
    .sort();
}

type Hook = (event: unknown) => unknown;
const aHook = z.object({ default: z.custom<Hook>((value) => typeof value === "function") });

async function hookOf(recipe: string): Promise<Hook> {
  const module: unknown = await import(pathToFileURL(join(folderOf(recipe), `.hookline/hooks/${recipe}.mjs`)).href);
  return aHook.parse(module).default;
}

async function logOf(recipe: string, [program = "", ...args]: readonly string[], event: object): Promise<string> {
  const machine = machineWith(recipe);
  const env = machine.env({ HOOKLINE_HOOK_STATE: machine.dir });
  const child = spawn(program, args, { cwd: machine.project, env });
  child.stdin.on("error", () => {});
  child.stdin.end(JSON.stringify({ session_id: "s", timestamp: "now", ...event }));
  const ended = await endOf(child);
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  return machine.read(`${recipe === "prompt-log" ? "prompts" : "audit"}.jsonl`);
}
