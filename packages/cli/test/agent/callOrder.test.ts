import { expect, test } from "vitest";
import { AgentProject, type Hook } from "../support/agentProject.ts";
import { callsAll, says } from "../support/modelAnswers.ts";

/** Says when each call begins; lets it go on when as many have begun as there are to be. */
const meets = (count: number): Hook => ({
  on: "BeforeTool",
  name: "meets",
  runs: `here="$HOOKLINE_PROJECT_DIR/../seen"; : > "$here/began-$$"
i=0; while [ "$(ls "$here" | grep -c began)" -lt ${count} ] && [ $i -lt 500 ]; do sleep 0.02; i=$((i+1)); done
[ $i -lt 500 ] || echo '{"decision":"deny","reason":"I was alone"}'`,
});

const read = (file_path: string) => ({ name: "read_file", args: { file_path } });

test("reads of one answer run side by side: each waits in its hook until all have come, and their results are in order", async () => {
  const files = { "a.txt": "A", "b.txt": "B", "c.txt": "C" };
  const project = new AgentProject({ files, hooks: [meets(3)] });
  const run = await project.run({ answers: [callsAll([read("a.txt"), read("b.txt"), read("c.txt")]), says("Read.")] });
  expect(run.modelSaw(2).slice(-3)).toEqual([
    "read_file returned: A",
    "read_file returned: B",
    "read_file returned: C",
  ]);
});

test("whatever changes something runs alone and in its turn, and a read after it sees the change", async () => {
  const stamp = (event: string): Hook => ({
    on: event,
    name: event,
    runs: `echo '"${event}"' >> "$HOOKLINE_PROJECT_DIR/../seen/order.jsonl"`,
  });
  const project = new AgentProject({ files: { "a.txt": "A" }, hooks: [stamp("BeforeTool"), stamp("AfterTool")] });
  const run = await project.run({
    answers: [
      callsAll([
        { name: "write_file", args: { file_path: "a.txt", content: "B" } },
        { name: "replace", args: { file_path: "a.txt", old_string: "B", new_string: "BC" } },
        { name: "run_shell_command", args: { command: "printf D >> a.txt" } },
        read("a.txt"),
      ]),
      says("Done."),
    ],
  });
  expect(run.modelSaw(2).at(-1)).toBe("read_file returned: BCD");
  const order = project.machine.read("seen/order.jsonl").trim().split("\n");
  expect(order).toEqual(Array(4).fill(['"BeforeTool"', '"AfterTool"']).flat());
});
