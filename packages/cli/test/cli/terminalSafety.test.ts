import { expect, test, vi } from "vitest";
import { AgentProject } from "../support/agentProject.ts";
import { calls, says } from "../support/modelAnswers.ts";

vi.setConfig({ testTimeout: 300_000 });

/** Text that would copy to the clipboard, clear the screen, turn the direction of text, or go unseen. */
const EVIL = "x\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u009b31m\u202e\u200b\u2028y";
const RAW = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u;

const command = (name: string, text: string) => ({ type: "command", name, command: text, description: EVIL });
const printsEvil = `cat > /dev/null; printf '%s' '${EVIL}'; printf '%s' '${EVIL}' >&2`;

function project(): AgentProject {
  const evilJson = JSON.stringify({ systemMessage: EVIL, decision: "deny", reason: EVIL });
  return new AgentProject({
    files: {
      ".hookline/settings.json": {
        hooks: {
          BeforeTool: [
            { matcher: `${EVIL}|write_file`, hooks: [command(`deny ${EVIL}`, "cat > /dev/null; cat evil.json")] },
          ],
          SessionStart: [
            { hooks: [command(`prints ${EVIL}`, printsEvil), command(`fails ${EVIL}`, `${printsEvil}; exit 1`)] },
          ],
          [EVIL]: [{ hooks: [command("unknown", "true")] }],
        },
        hooksConfig: { disabled: [EVIL], [EVIL]: 1 },
        mcpServers: { [EVIL]: { command: EVIL } },
      },
      "evil.json": evilJson,
      [`.system/hooks/${EVIL}.yaml`]: `id: ${JSON.stringify(EVIL)}\nevent_type: BeforeTool\nsummary: ${JSON.stringify(EVIL)}\n`,
      ".system/abilities/greet.yaml": `id: greet\nsummary: ${JSON.stringify(EVIL)}\nimplementation:\n  kind: script\n  command: printf '%s' ${JSON.stringify(EVIL)}\n`,
      [`${EVIL}.hooktest.yaml`]: `hooks: [${JSON.stringify(EVIL)}]\ntests:\n  - name: ${JSON.stringify(EVIL)}\n`,
    },
  });
}

const COMMANDS: readonly (readonly string[])[] = [
  ["list"],
  ["validate"],
  ["explain", "BeforeTool", "write_file"],
  ["explain", "BeforeTool", EVIL],
  ["explain", EVIL],
  ["fire", "BeforeTool", "--trust-project", "--set", "tool_name=write_file"],
  ["fire", "SessionStart", "--trust-project"],
  ["fire", EVIL],
  ["events", EVIL],
  ["trust"],
  ["trust", EVIL],
  ["trust", "--expect", EVIL],
  ["trust", "--list"],
  ["enable", EVIL],
  ["disable", EVIL],
  ["doctor"],
  ["log"],
  ["log", "--verify"],
  ["log", "--hook", EVIL],
  ["log", "--since", EVIL],
  ["trace"],
  ["trace", EVIL],
  ["stats"],
  ["replay", "--trust-project"],
  ["test", "--trust-project"],
  ["test", EVIL],
  ["ability", "list"],
  ["ability", "show", "greet"],
  ["ability", "show", EVIL],
  ["ability", "run", "greet", "--trust-project"],
  ["ability", "run", "greet", "--input", EVIL, "--trust-project"],
  ["task", "create", "greet", "--trust-project", "--env", EVIL],
  ["task", "create", EVIL, "--trust-project"],
  ["task", "list"],
  ["task", "show", EVIL],
  ["task", "approve", EVIL],
  ["new", "hook", "--event", EVIL, "--id", EVIL],
  ["new", "ability", "--id", EVIL],
  ["run", "-p", EVIL, "--model", EVIL],
  ["run", "-p", "x", "--model", "replay:no", "--resume", EVIL],
  ["run", "-p", "x", "--model", "replay:no", "--cwd", EVIL],
  ["completion", EVIL],
  [EVIL],
  ["list", `--${EVIL}`],
];

test("nothing that a project, a hook or a caller writes acts on the terminal, whatever command prints it", async () => {
  const here = project();
  const answers = [
    calls("write_file", { file_path: "a", content: EVIL }),
    calls(EVIL, { [EVIL]: EVIL }),
    says("Done."),
  ];
  const outputs = ["text", "json", "stream-json"] as const;
  const unsafe: string[] = [];
  let shown = 0;
  const note = (what: string, { stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
    if (/(\\e|\\u001b)\]52/.test(stdout + stderr)) shown += 1;
    for (const [stream, text] of Object.entries({ stdout, stderr })) {
      const line = text.split("\n").find((one) => RAW.test(one));
      if (line !== undefined) unsafe.push(`${what} (${stream}): ${JSON.stringify(line)}`);
    }
  };
  for (const output of outputs) note(`run --output ${output}`, await here.run({ answers, output }));
  // In this process: a start of the program for each would take minutes.
  for (const args of COMMANDS) {
    for (const json of [[], ["--json"]]) note([...args, ...json].join(" "), await here.machine.run([...args, ...json]));
  }
  expect(unsafe).toEqual([]);
  expect(shown).toBeGreaterThan(30);
});
