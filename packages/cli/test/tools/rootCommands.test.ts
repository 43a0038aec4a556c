import { expect, test } from "vitest";
import { rootCommands } from "../../src/tools/rootCommands.ts";

test.each([
  ["ls", "ls"],
  ["  git pull && npm ci", "git, npm"],
  ["cat a|grep b; /usr/bin/wc -l", "cat, grep, wc"],
  ["LC_ALL=C sort x && sort y", "sort"],
  ["echo 'a && rm b' \"; rm c\" && true", "echo, true"],
  ["make \n  ./build.sh &", "make, build.sh"],
  ["'my tool' x", "my tool"],
  ["(cd a && pwd)", "cd, pwd"],
  ["", ""],
])("the programs of %j are %j", (command, expected) => {
  expect(rootCommands(command)).toBe(expected);
});
