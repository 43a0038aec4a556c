import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

export async function readJson(path) {
  return JSON.parse(await readFile(path, "utf8"));
}

export async function writeJson(path, value) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** A script that reads its input, as a hook should. */
export async function writeScript(path, text) {
  await writeFile(path, `#!/bin/sh\ncat > /dev/null\n${text}\n`, { mode: 0o755 });
}
