// Sets a flag in a config file. The schema of the input says which files those are.
import { readFileSync, renameSync, writeFileSync } from "node:fs";

const { file, flag, enabled } = JSON.parse(readFileSync(0, "utf8"));
const config = JSON.parse(readFileSync(file, "utf8"));
const flags = config.flags ?? {};

if (Object.hasOwn(flags, flag)) {
  // A reader sees the old file or the new one, never half of one.
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, `${JSON.stringify({ ...config, flags: { ...flags, [flag]: enabled } }, null, 2)}\n`);
  renameSync(draft, file);
  answer({ status: "success", output: { file, flag, enabled }, changed_files: [file] });
} else {
  answer({ status: "failure", output: `${file} has no flag "${flag}"; it has: ${Object.keys(flags).join(", ")}.` });
}

function answer(value) {
  console.log(JSON.stringify(value));
}
