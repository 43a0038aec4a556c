import { LANGUAGE_SPECS, type Language } from "./languages.ts";

/** The program of an ability: its input and answer as comments, and an example to replace. */
export function abilityProgram(id: string, language: Language): string {
  const { shebang, comment } = LANGUAGE_SPECS[language];
  const comments = notes(id).map((line) => `${comment} ${line}`.trimEnd());
  return `${[shebang, ...comments, "", ...PROGRAMS[language]].join("\n")}\n`;
}

function notes(id: string): readonly string[] {
  return [
    `${id}: an ability. It runs in the project's folder.`,
    "",
    "Input: one JSON object on standard input, already checked against `input` in the YAML file.",
    "  name: string",
    "",
    "Answer: one JSON object on standard output.",
    '  status: "success" | "partial" | "failure"',
    "  output: any value; the caller of the ability receives it",
    "  changed_files?: string[] (paths from the project's folder)",
    "  error?: string (why it failed)",
    "Other text or JSON counts as the output of a success. An exit code other than 0 is a failure; standard error says why.",
    "",
    "Environment: HOOKLINE_PROJECT_DIR, HOOKLINE_ABILITY_ID, HOOKLINE_TASK_KEY (empty without a task), HOOKLINE_ENV",
    "(dev, staging, prod, …) and HOOKLINE_SESSION_ID where they are known; credentials only if pass_env names them.",
  ];
}

const YOURS = "Your work goes here. The example returns its input.";

const PROGRAMS: Readonly<Record<Language, readonly string[]>> = {
  sh: [
    "input=$(cat)",
    "",
    `# ${YOURS}`,
    "# sh cannot parse JSON: to read single fields use jq, or write this ability in Python or Node.",
    `printf '{"status":"success","output":{"received":%s},"changed_files":[]}\\n' "$input"`,
  ],
  python: [
    "import json",
    "import sys",
    "",
    "",
    "def run(given):",
    `    # ${YOURS}`,
    `    return {"status": "success", "output": {"received": given}, "changed_files": []}`,
    "",
    "",
    `print(json.dumps(run(json.load(sys.stdin.buffer)), separators=(",", ":")))`,
  ],
  node: [
    `import { readFileSync } from "node:fs";`,
    "",
    `console.log(JSON.stringify(run(JSON.parse(readFileSync(0, "utf8")))));`,
    "",
    "function run(given) {",
    `  // ${YOURS}`,
    `  return { status: "success", output: { received: given }, changed_files: [] };`,
    "}",
  ],
};
