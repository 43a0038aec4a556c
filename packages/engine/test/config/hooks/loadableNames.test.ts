import { expect, test } from "vitest";
import { loadableBeside } from "../../../src/config/hooks/loadableNames.ts";
import { workspace } from "../workspace.ts";

const NAMES = ["a.py", "a.pth", "a.so", "a.js", "a.json", "a.sh", "a.rb", "a.txt", "a"];
/** A shell script starts programs in any language, and sources files of any name. */
const ANY = NAMES.filter((name) => name !== "a.txt");

test.each([
  ["python3 hooks/x.py", "", ["a.py", "a.pth", "a.so"]],
  ["python3 -u hooks/x.py -I", "", ["a.py", "a.pth", "a.so"]],
  ["python3 -I hooks/x.py", "", []],
  ["env A=1 python3.12 -Bs -I hooks/x.py", "", []],
  ["python3 -P hooks/x.py", "", []],
  ["node hooks/x.mjs", "", ["a.js", "a.json"]],
  ["bash hooks/x.sh", "", ANY],
  ["bash hooks/x.py", "", ANY],
  ["hooks/x", "#!/usr/bin/env python3\n", ["a.py", "a.pth", "a.so"]],
  ["hooks/x", "#!/usr/bin/env -S python3 -I\n", []],
  ["hooks/x", "#!/bin/sh\n", ANY],
  ["hooks/x", "echo without a first line\n", ANY],
  ["hooks/x", "#!/opt/unknown\n", ANY],
  ["hooks/x", "\u007fELF\0\0", []],
])("%s (%j) could load %j", async (command, content, loadable) => {
  const words = command.split(" ");
  const script = words.find((word) => word.startsWith("hooks/")) ?? "";
  const { dir } = await workspace({ [script]: content });
  const { isLoadable } = loadableBeside(
    `${dir}/${script}`,
    words.map((word) => (word === script ? `${dir}/${word}` : word)),
  );
  expect(NAMES.filter((name) => isLoadable(name))).toEqual(loadable);
});

test("in the project's root, a shell script protects only files of its own language", async () => {
  const { dir } = await workspace({ "x.sh": "" });
  const { isLoadable } = loadableBeside(`${dir}/x.sh`, ["bash", `${dir}/x.sh`]);
  expect(NAMES.filter((name) => isLoadable(name, true))).toEqual(["a.sh"]);
});
