import type { NamedEvent } from "../project/eventNamed.ts";
import { eventNotes } from "./eventNotes.ts";
import { type ExampleAnswer, exampleAnswer, MARK } from "./exampleAnswer.ts";
import { LANGUAGE_SPECS, type Language } from "./languages.ts";

interface HookProgramOptions {
  readonly id: string;
  readonly event: NamedEvent;
  readonly language: Language;
  readonly worker: boolean;
}

/** The program of a hook: its input and answers as comments, a rule to replace, and the code that reads and answers. */
export function hookProgram({ id, event, language, worker }: HookProgramOptions): string {
  const { shebang, comment } = LANGUAGE_SPECS[language];
  const notes = [`${id}: a hook on ${event.name}.`, "", ...eventNotes(event, { worker })];
  const comments = notes.map((line) => `${comment} ${line}`.trimEnd());
  const program = PROGRAMS[language](exampleAnswer(id, event.spec), worker);
  return `${[shebang, ...comments, "", ...program].join("\n")}\n`;
}

type Program = (answer: ExampleAnswer, worker: boolean) => readonly string[];

const YOURS = {
  marked: `Your rule goes here. The example objects to input that contains "${MARK}".`,
  always: "Your answer goes here. The example is the same for every input.",
  never: "Your work goes here. This event accepts no answer.",
};

const PROGRAMS: Readonly<Record<Language, Program>> = { sh, python, node };

function sh({ when, value }: ExampleAnswer, worker: boolean): readonly string[] {
  const print = `printf '%s\\n' '${JSON.stringify(value)}'`;
  const body = {
    marked: [`  case "$1" in`, `    *${MARK}*) ${print} ;;`, "  esac"],
    always: [`  ${print}`],
    never: ["  :"],
  };
  const readsJson = "sh cannot parse JSON: to read single fields use jq, or write this hook in Python or Node.";
  const answer = ["# answer <input>", "answer() {", `  # ${YOURS[when]}`, `  # ${readsJson}`, ...body[when], "}", ""];
  if (!worker) return [...answer, 'answer "$(cat)"'];
  return [
    ...answer,
    "while IFS= read -r line; do",
    `  case "$line" in`,
    `    '{"id":'*) ;;`,
    "    *) continue ;;",
    "  esac",
    `  id=\${line#*:}`,
    `  output=$(answer "$line")`,
    `  printf '{"id":%s,"output":%s}\\n' "\${id%%,*}" "\${output:-null}"`,
    "done",
  ];
}

function python({ when, value }: ExampleAnswer, worker: boolean): readonly string[] {
  const body = {
    marked: [`    if "${MARK}" in json.dumps(event):`, ...returned(value, "        "), "    return None"],
    always: returned(value, "    "),
    never: ["    return None"],
  };
  const answer = [
    "import json",
    "import sys",
    "",
    "",
    "def answer(event):",
    `    # ${YOURS[when]}`,
    ...body[when],
    "",
    "",
  ];
  if (!worker) {
    return [
      ...answer,
      "output = answer(json.load(sys.stdin.buffer))",
      "if output is not None:",
      `    print(json.dumps(output, separators=(",", ":")))`,
    ];
  }
  return [
    ...answer,
    "for line in sys.stdin.buffer:",
    "    message = json.loads(line)",
    `    if "id" not in message:`,
    "        continue",
    "    try:",
    `        reply = {"id": message["id"], "output": answer(message["input"])}`,
    "    except Exception as error:",
    `        reply = {"id": message["id"], "error": {"message": repr(error)}}`,
    `    print(json.dumps(reply, separators=(",", ":")), flush=True)`,
  ];
}

function node({ when, value }: ExampleAnswer, worker: boolean): readonly string[] {
  const body = {
    marked: [`  if (!JSON.stringify(event).includes("${MARK}")) return undefined;`, ...returned(value, "  ", ";")],
    always: returned(value, "  ", ";"),
    never: ["  return undefined;"],
  };
  const parameter = when === "marked" ? "event" : "_event";
  const answer = [`function answer(${parameter}) {`, `  // ${YOURS[when]}`, ...body[when], "}"];
  if (!worker) {
    return [
      `import { readFileSync } from "node:fs";`,
      "",
      `const output = answer(JSON.parse(readFileSync(0, "utf8")));`,
      "if (output !== undefined) console.log(JSON.stringify(output));",
      "",
      ...answer,
    ];
  }
  return [
    `import { createInterface } from "node:readline";`,
    "",
    "for await (const line of createInterface({ input: process.stdin })) {",
    "  const { id, input } = JSON.parse(line);",
    "  if (id !== undefined) console.log(JSON.stringify({ id, ...reply(input) }));",
    "}",
    "",
    "function reply(input) {",
    "  try {",
    "    return { output: answer(input) ?? null };",
    "  } catch (error) {",
    "    return { error: { message: String(error) } };",
    "  }",
    "}",
    "",
    ...answer,
  ];
}

/** An object of strings, lists and objects has the same syntax in JSON, Python and JavaScript. */
function returned(value: unknown, indent: string, end = ""): readonly string[] {
  const lines = JSON.stringify(value, null, indent.length % 4 === 0 ? 4 : 2).split("\n");
  return `return ${lines.join("\n")}${end}`.split("\n").map((line) => `${indent}${line}`);
}
