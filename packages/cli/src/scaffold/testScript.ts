/** An input for a program and the expected answer. */
export interface TestCase {
  /** The name of its shell function. */
  readonly name: string;
  /** What the case shows, in words. */
  readonly shows: string;
  readonly input: unknown;
  /** A part of the answer; empty: no answer. */
  readonly answer: string;
}

interface Tested {
  readonly path: string;
  /** The command of the program, from the project root. */
  readonly command: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly cases: readonly TestCase[];
}

/** A test in POSIX sh: it pipes inputs into a program like hookline does, but needs neither hookline nor trust. */
export function testScript({ path, command, variables = {}, cases }: Tested): string {
  const lines = [
    "#!/bin/sh",
    `# Runs ${command} with the input that hookline would pass. Run it with: sh ${path}`,
    "set -u",
    'cd "$(dirname "$0")/../.." || exit 1',
    'export HOOKLINE_PROJECT_DIR="$PWD"',
    ...Object.entries(variables).map(([name, value]) => `export ${name}=${value}`),
    "failures=0",
    "",
    "# expect <what it shows> <input> <a part of the answer; empty: no answer>",
    "expect() {",
    `  answer=$("$2" | ${command})`,
    "  code=$?",
    '  if [ "$code" -eq 0 ] && holds "$answer" "$3"; then',
    '    echo "ok: $1"',
    "  else",
    '    echo "NOT OK: $1"',
    '    echo "  exit code $code, answer: $answer"',
    "    failures=$((failures + 1))",
    "  fi",
    "}",
    "",
    "holds() {",
    '  if [ -z "$2" ]; then [ -z "$1" ]; else case "$1" in *"$2"*) true ;; *) false ;; esac; fi',
    "}",
    "",
    ...cases.flatMap(({ name, input }) => [`${name}() {`, "  cat <<'JSON'", JSON.stringify(input), "JSON", "}", ""]),
    ...cases.map(({ name, shows, answer }) => `expect '${shows}' ${name} '${answer}'`),
    "",
    '[ "$failures" -eq 0 ]',
  ];
  return `${lines.join("\n")}\n`;
}
