import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AgentProject } from "../support/agentProject.ts";
import { calls, says } from "../support/modelAnswers.ts";

/** Made here, in pieces, so that nobody takes them for real ones. */
const PLANTED = {
  aws: `AKIA${"QWERTYUIOPASDFGH"}`,
  github: `ghp_${"a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"}`,
  openai: `sk-${"proj-abcdefghijklmnopqrstuvwx1234"}`,
  slack: `xoxb-${"123456789012-abcdefghijkl"}`,
  google: `AIza${"SyA1234567890abcdefghijklmnopqrstuv"}`,
  stripe: `sk_live_${"4eC39HqLyjWDarjtT1zdp7dc"}`,
  jwt: `eyJ${"hbGciOiJIUzI1NiJ9"}.eyJ${"zdWIiOiIxMjM0NTY3ODkwIn0"}.dozjgNryP4J3jVmNHl0w5N`,
  password: "correct-horse-battery-staple",
  header: "c2VjcmV0LWhlYWRlcg==",
  url: "sw0rdfish-in-a-url",
  env: "value-of-a-withheld-variable/+=",
  spaced: "a passphrase that has spaces",
  own: "KD-447711",
  iban: "DE89370400440532013000",
  named: "sw0rdfish-in-a-command",
  pem: "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7",
};
const PEM = `-----BEGIN PRIVATE KEY-----\n${PLANTED.pem}\n-----END PRIVATE KEY-----`;

const FILE = {
  file_path: "a.txt",
  content: `${PLANTED.aws} ${PLANTED.github}\nDB_PASSWORD=${PLANTED.password}\n${PEM}\ncustomer ${PLANTED.own}\n${"x".repeat(70_000)} ${PLANTED.openai}`,
};

test("no secret of a planted set reaches the disk by way of the journal", async () => {
  const print = [
    `echo '{"decision":"allow","systemMessage":"${PLANTED.slack}","api_key":"${PLANTED.google}","iban":"${PLANTED.iban}"}'`,
    `echo "Authorization: Bearer ${PLANTED.header}" >&2`,
    `echo "postgres://me:${PLANTED.url}@db.example.org/x $SERVICE_TOKEN $VAULT_PASSPHRASE" >&2`,
  ].join("\n");
  const hook = { runs: print, settings: { passEnv: ["SERVICE_TOKEN", "VAULT_PASSPHRASE"] } };
  const project = new AgentProject({
    hooks: [
      { on: "BeforeTool", name: "before", ...hook },
      { on: "AfterTool", name: "after", ...hook },
      { on: "BeforeModel", name: "model", ...hook },
      { on: "BeforeAgent", name: "fails", runs: `echo "${PLANTED.stripe} ${PLANTED.jwt}" >&2; exit 1` },
      { on: "SessionEnd", name: "blocks", runs: `echo "password: ${PLANTED.password}" >&2; exit 2` },
    ],
  });
  const { machine } = project;
  const journal = { redact: { keys: ["IBAN"], patterns: ["KD-\\d{6}"] } };
  mkdirSync(join(machine.home, ".hookline"), { recursive: true });
  // One without a name is called by its command.
  const nameless = { type: "command", command: `: --password ${PLANTED.named} ${PLANTED.github} ${PLANTED.env}` };
  const hooks = { BeforeTool: [{ hooks: [nameless] }] };
  writeFileSync(join(machine.home, ".hookline/settings.json"), JSON.stringify({ hooks, hooksConfig: { journal } }));
  const run = await project.run({
    answers: [
      calls("write_file", FILE),
      says(`It is ${PLANTED.aws}, and my password is password=${PLANTED.password}.`),
    ],
    prompt: `the token is ${PLANTED.github}, the key ${PLANTED.openai}`,
    mode: "yolo",
    env: { SERVICE_TOKEN: PLANTED.env, VAULT_PASSPHRASE: PLANTED.spaced },
  });
  expect(run.code).toBe(0);
  const written = [join(machine.dir, machine.state), join(machine.home, ".hookline")].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.startsWith("journal"))
      .map((name) => readFileSync(join(folder, name)).toString("latin1")),
  );
  expect(written.join("").length).toBeGreaterThan(50_000);
  // Something was redacted, and the text around it is there.
  expect(written.join("")).toContain("[redacted]");
  expect(written.join("")).toContain("db.example.org");
  expect(written.join("")).toContain(": --password [redacted]");
  expect(Object.entries(PLANTED).filter(([, secret]) => written.some((text) => text.includes(secret)))).toEqual([]);
  // Nor in another form.
  const encoded = Buffer.from(PLANTED.env).toString("base64").replaceAll("=", "");
  expect(written.filter((text) => text.includes(encoded))).toEqual([]);
});
