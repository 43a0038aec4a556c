import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { withValues } from "../../src/process/shellVariables.ts";

const VALUES = { DIR: "/a b/$c'd", PLAIN: "/p", HOME: "/home/me" };

test.each([
  ["$PLAIN/x.sh", "/p/x.sh"],
  [`\${PLAIN}/x.sh`, "/p/x.sh"],
  ['"$PLAIN"/x.sh', '"/p"/x.sh'],
  ["$PLAINER/x.sh", "$PLAINER/x.sh"],
  [`\${PLAIN:-x}/y.sh`, `\${PLAIN:-x}/y.sh`],
  ["'$PLAIN'", "'$PLAIN'"],
  ["\\$PLAIN", "\\$PLAIN"],
  ["~/x.sh && sh ~/y.sh a~/b", "/home/me/x.sh && sh /home/me/y.sh a~/b"],
  ["$(cat $PLAIN) $PLAIN", "$(cat $PLAIN) $PLAIN"],
  ["cat <<E\n$PLAIN\nE", "cat <<E\n$PLAIN\nE"],
  ["cat <$PLAIN", "cat </p"],
])("%s is %s", (text, filled) => {
  expect(withValues(text, VALUES)).toBe(filled);
});

test("a shell that does not split reads the same, whatever is in the value", () => {
  const char = fc.constantFrom(..."$DIR{}'\"\\ a/");
  fc.assert(
    fc.property(fc.string({ unit: char, maxLength: 12 }), fc.string({ maxLength: 5 }), (text, value) => {
      if (/[\0\n]/.test(value) || text.includes("$$")) return; // $$ is the shell's own number
      const read = (shellText: string) => {
        try {
          return execFileSync("/bin/sh", ["-c", `IFS=; set -f; printf '%s\\0' ${shellText} .`], {
            encoding: "utf8",
            env: { DIR: value },
            stdio: ["ignore", "pipe", "ignore"],
          });
        } catch {
          return "refused";
        }
      };
      if (value === "") return; // an empty, unquoted variable is no word at all
      expect(read(withValues(text, { DIR: value }))).toBe(read(text));
    }),
    { numRuns: 150 },
  );
});
