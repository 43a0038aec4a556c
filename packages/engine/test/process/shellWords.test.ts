import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { leadingWord, quoteForShell, words } from "../../src/process/shellWords.ts";

/** What a real shell makes of the text as the arguments of a command; undefined if it refuses. */
function argumentsInShell(text: string): string[] | undefined {
  try {
    const printed = execFileSync("/bin/sh", ["-c", `printf '%s\\0' ${text}`], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return printed.split("\0").slice(0, -1);
  } catch {
    return undefined;
  }
}

describe("leadingWord", () => {
  test.each([
    ["./check.sh --fast", "", "./check.sh"],
    ["  check", "", "check"],
    ["\ncheck\n", "", "check"],
    ["'my hooks/check.sh' a", "", "my hooks/check.sh"],
    ['"my hooks/check.sh"', "", "my hooks/check.sh"],
    ["my' 'hooks/\"check\".sh", "", "my hooks/check.sh"],
    ["my\\ hooks/check.sh a", "", "my hooks/check.sh"],
    ['"my \\"hooks\\"/\\$x"', "", 'my "hooks"/$x'],
    ["A=1 B='x y' C=$D check", "A=1 B='x y' C=$D", "check"],
    ['A="$B" check', 'A="$B"', "check"],
    ["A= check", "A=", "check"],
    ["1=2 check", "", "1=2"],
    ["check>log", "", "check"],
    ["check;other", "", "check"],
    ["check&&other", "", "check"],
    ["'if' x", "", "if"],
    ["cd hooks && ./x", "", "cd"],
  ])("%j: %j, then %j", (text, assignments, word) => {
    const found = leadingWord(text);
    expect(found).toEqual({ assignments, word, start: expect.any(Number), end: expect.any(Number) });
    expect(words(text.slice(found?.start, found?.end))).toEqual([expect.objectContaining({ word })]);
  });

  test.each([
    ["$HOME/check"],
    ['"$HOME/check"'],
    [`\${HOME}/check`],
    ["`which check`"],
    ["$(which check)"],
    ["~/check"],
    ["*.sh"],
    ["check?"],
    ["[ -f x ]"],
    ["{ check; }"],
    ["if check; then x; fi"],
    ["time check"],
    ["! check"],
    ["(check)"],
    ["<in check"],
    ["# check"],
    ["'check"],
    ["A=1"],
    ["A=$(date) check"],
    ["A=(1 2) check"],
    [""],
  ])("%j cannot be known", (text) => {
    expect(leadingWord(text)).toBe(null);
  });
});

describe("words", () => {
  test.each<[string, (string | null)[]]>([
    ["python3 hooks/x.py --level 3 | tee log", ["python3", "hooks/x.py", "--level", "3"]],
    ["A=1 python3 'my hooks/x.py'", ["python3", "my hooks/x.py"]],
    ['node "$DIR/x.js" y', ["node", null, "y"]],
    [`node "\${DIR}/x.js" \${DIR} $1 y`, ["node", null, null, null, "y"]],
    ["node $(which x) y", ["node", null]],
    ['node "$(which x)" y', ["node", null]],
    ["node `which x` y", ["node", null]],
    [`node \${X:-a b} y`, ["node", null]],
    ["node $[1 + 2] y", ["node", null]],
    ["node $'a\\'b' y", ["node", null]],
    ["node 'open", ["node", null]],
    ["node a\\ b c", ["node", "a b", "c"]],
    ["node *.js {a,b} ~/x p=~/x 'a*' z", ["node", null, null, null, null, "a*", "z"]],
    ["node \\\n  x.js", ["node", "x.js"]],
    ["node x.js 2>/dev/null", ["node", "x.js"]],
    ["node x.js '2'>log", ["node", "x.js", "2"]],
    ["node A=1 # B", ["node", "A=1"]],
    ["node a#b ''", ["node", "a#b", ""]],
    ["node x\ny", ["node", "x"]],
    ["while read x", []],
    ["", []],
  ])("%j are %j", (text, expected) => {
    expect(words(text).map((found) => found?.word ?? null)).toEqual(expected);
  });

  test("spans hold the text with its quotes", () => {
    expect(words("A=1 node 'my x.js'")).toEqual([
      { word: "node", start: 4, end: 8, quoted: false },
      { word: "my x.js", start: 9, end: 18, quoted: true },
    ]);
  });

  test("where every word is known, a real shell agrees", () => {
    const char = fc.constantFrom(..."ab2=#'\"\\$~* \t");
    fc.assert(
      fc.property(fc.string({ unit: char, maxLength: 10 }), (text) => {
        const [, ...found] = words(`printf ${text}`);
        const known = found.flatMap((one) => (one ? [one.word] : []));
        if (known.length < found.length) return;
        expect(known).toEqual(argumentsInShell(`'first' ${text}`)?.slice(1) ?? "refused");
      }),
      { numRuns: 400 },
    );
  });
});

describe("quoteForShell", () => {
  test.each([
    ["./check.sh", "./check.sh"],
    ["a b", "'a b'"],
    ["it's", "'it'\\''s'"],
    ["", "''"],
    ["if", "'if'"],
    ["A=1", "'A=1'"],
    ["$HOME", "'$HOME'"],
  ])("%j is %s", (word, quoted) => {
    expect(quoteForShell(word)).toBe(quoted);
  });

  test("a real shell reads back any words, and so do we", () => {
    const anyWord = fc.string({ maxLength: 8 }).filter((word) => !word.includes("\0"));
    fc.assert(
      fc.property(fc.array(anyWord, { minLength: 1, maxLength: 4 }), (list) => {
        const text = list.map(quoteForShell).join(" ");
        expect(argumentsInShell(text)).toEqual(list);
        const readBack = words(`check ${text}`).slice(1);
        expect(readBack.map((found) => found?.word ?? null)).toEqual(list);
      }),
      { numRuns: 100 },
    );
  });
});
