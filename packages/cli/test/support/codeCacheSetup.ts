import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Makes the `.cache` folder to which the homes of the tests link. It is empty: the first starts of a run fill it. */
export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), "hookline-code-cache-"));
  process.env.HOOKLINE_TEST_CODE_CACHE = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
