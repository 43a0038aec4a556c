/** One input for a program, and what must come of it. */
export interface TestCase {
  /** The name of its shell function. */
  readonly name: string;
  /** What it shows, in words. */
  readonly shows: string;
  readonly input: unknown;
  /** A part of the answer; empty: there is no answer. */
  readonly answer: string;
}

interface Tested {
  readonly path: string;
  /** Of the program, from the project root. */
  readonly command: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly cases: readonly TestCase[];
}

/** A test in POSIX sh: it pipes inputs into a program as hookline does, and needs neither hookline nor anybody's trust. */
export function testScript({ path, command, variables = {}, cases }: Tested): string {
  const lines = [
    "#!/bin/sh",
    `# Gives ${command} what hookline would give it. Run it with: sh ${path}`,
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
