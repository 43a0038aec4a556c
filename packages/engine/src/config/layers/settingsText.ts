import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from "node:fs";
import { fault, type Problem } from "../values/problem.ts";
import { DescriptorWait } from "./descriptorWait.ts";

export type SettingsText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "absent" }
  | { readonly kind: "broken"; readonly problem: Problem };

const LARGEST_BYTES = 5 * 1024 * 1024;
/** A YAML file holds one hook or ability; there may be up to a thousand files. */
const LARGEST_YAML_BYTES = 256 * 1024;

/** Reads a settings file whole. Never hangs or throws, whatever is in its place (a folder, a pipe, a link to itself). */
export async function readSettingsText(file: string, wait = new DescriptorWait()): Promise<SettingsText> {
  try {
    return await wait.attempt(() => readRegularFile(file));
  } catch (error) {
    return failure(file, error);
  }
}

/** Settings passed in by the program, in the form of a file. */
export function givenSettings(given: unknown, file: string): SettingsText {
  try {
    return { kind: "text", text: JSON.stringify(given, null, 2) };
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    const next = "Pass plain JSON objects.";
    return broken(file, `The hooks cannot be written as JSON: ${reason}.`, next);
  }
}

function readRegularFile(file: string): SettingsText {
  // Non-blocking, so that opening a pipe returns; the check uses the descriptor, so that the file cannot be swapped in between.
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(handle);
    if (stats.isDirectory()) return broken(file, "This is a folder, not a file.", "Put a settings file in its place.");
    if (!stats.isFile()) return broken(file, "This is not a regular file.", "Put a settings file in its place.");
    const largest = /\.ya?ml$/.test(file) ? LARGEST_YAML_BYTES : LARGEST_BYTES;
    if (stats.size > largest) return tooLarge(file, stats.size, largest);
    return decoded(file, readFileSync(handle));
  } finally {
    closeSync(handle);
  }
}

function decoded(file: string, bytes: Uint8Array): SettingsText {
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    const where = { file, line: 1, column: 1 };
    const what = "The file is not UTF-8 text.";
    return { kind: "broken", problem: fault({ code: "CONFIG_SYNTAX", where, what, next: "Save it as UTF-8." }) };
  }
}

function failure(file: string, error: unknown): SettingsText {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "ENOTDIR") return { kind: "absent" };
  if (code === "ENOENT") {
    // A dangling link was meant to be a file: its guards would be off silently.
    return isThere(file)
      ? broken(file, "The target of this link does not exist.", "Correct or remove the link.")
      : { kind: "absent" };
  }
  if (code === "ELOOP") return broken(file, "This link points back to itself.", "Correct or remove the link.");
  const reason = error instanceof Error ? error.message : String(error);
  return broken(file, `The file cannot be read: ${reason}.`);
}

function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function tooLarge(file: string, bytes: number, largest: number): SettingsText {
  const what = `The file has ${sizeText(bytes)}; the limit is ${sizeText(largest)}.`;
  return broken(file, what, "Remove everything but settings from it.");
}

function sizeText(bytes: number): string {
  const mebibytes = bytes / 1024 ** 2;
  return mebibytes < 1 ? `${Math.ceil(bytes / 1024)} KiB` : `${Number(mebibytes.toFixed(1))} MiB`;
}

function broken(file: string, what: string, next?: string): SettingsText {
  return { kind: "broken", problem: fault({ code: "CONFIG_UNREADABLE", where: { file }, what, next }) };
}
