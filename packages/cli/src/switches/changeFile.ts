import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { HooklineError } from "@hookline/engine";

const BOM = "\ufeff";

/** Changes a text file atomically: a reader sees the old or the new text, and a failure keeps the old one. */
export async function changeFile(path: string, initial: string, change: (text: string) => string): Promise<boolean> {
  // Keep a link and change its target.
  const file = await realpath(path).catch(() => path);
  try {
    const raw = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    const mark = raw?.startsWith(BOM) ? BOM : "";
    const before = raw?.slice(mark.length) ?? initial;
    const after = change(before);
    if (after === before) return false;
    await replaceFile(file, mark + after);
    return true;
  } catch (cause) {
    if (cause instanceof HooklineError || !(cause instanceof Error) || !("code" in cause)) throw cause;
    const what = `The file cannot be changed: ${cause.message}.`;
    throw new HooklineError({ code: "CONFIG_UNREADABLE", where: { file: path }, what, cause });
  }
}

async function replaceFile(file: string, text: string): Promise<void> {
  // One level: Node never returns from `recursive: true` below a folder such as /proc.
  if (!existsSync(dirname(file))) await mkdir(dirname(file));
  const draft = `${file}.${randomUUID()}`;
  try {
    const mode = (await stat(file).catch(() => undefined))?.mode;
    await writeFile(draft, text, { flag: "wx" });
    if (mode !== undefined) await chmod(draft, mode & 0o7777);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
