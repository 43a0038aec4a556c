import { posix } from "node:path";
import type { ToolCall } from "./dialect.ts";
import { type Fields, textOf } from "./fields.ts";
import { type FileChange, formatPatch, type Hunk, parsePatch } from "./patch.ts";

/** A patch as one call for each file that it writes, and for each hunk of a file that it edits. */
export function patchCalls(patch: string, folder = ""): readonly ToolCall[] | undefined {
  const changes = parsePatch(patch);
  return changes?.map((change) => withPaths(change, folder)).flatMap(callsOf);
}

/**
 * What a shell command writes through `apply_patch`: nothing, the files of a patch in its only here-document, or something that cannot be
 * read, such as a patch within a longer script.
 */
export function patchInCommand(command: string): readonly ToolCall[] | "none" | "unreadable" {
  if (!command.includes("*** Begin Patch") && !STARTS_APPLY_PATCH.test(command)) return "none";
  const lines = command.trim().split("\n");
  const [, folder, quote, marker] = HERE_DOCUMENT.exec(lines[0] ?? "") ?? [];
  const body = lines.slice(1, -1);
  if (marker === undefined || lines.at(-1) !== marker || body.includes(marker)) return "unreadable";
  const patch = body.join("\n");
  if (quote === "" && /[$`\\]/.test(patch)) return "unreadable"; // the shell would change it
  return patchCalls(patch, folder) ?? "unreadable";
}

/** One call of ours as a patch; undefined if a patch cannot say it. */
export function patchFor({ tool_name, tool_input }: ToolCall): Fields | undefined {
  const change = changeFor(tool_name, tool_input);
  const command = change && formatPatch(change);
  return command === undefined ? undefined : { command };
}

const STARTS_APPLY_PATCH = /(?:^|[\n;&|(){}`])[ \t]*apply_?patch(?![\w.-])/;
const HERE_DOCUMENT = /^(?:cd ([\w./][\w./@%+,:=-]*) && )?apply_?patch <<[ ]?(['"]?)([A-Za-z_]\w*)\2$/;

/**
 * Deleting a file is writing it: a guard on `write_file` sees the path, and `deleted: true` tells it from an empty file. A move deletes the
 * old file and edits the new one, with `moved_to` and `moved_from`.
 */
function callsOf(change: FileChange): readonly ToolCall[] {
  switch (change.kind) {
    case "add":
      return [call("write_file", { file_path: change.path, content: change.content })];
    case "delete":
      return [deletion(change.path)];
    case "update": {
      const { path, movedTo, hunks } = change;
      if (movedTo === undefined) return hunks.map((hunk) => edit(path, hunk));
      const edits = hunks.length > 0 ? hunks : [{ oldText: "", newText: "" }];
      return [deletion(path, { moved_to: movedTo }), ...edits.map((hunk) => edit(movedTo, hunk, { moved_from: path }))];
    }
  }
}

const call = (tool_name: string, tool_input: Fields): ToolCall => ({ tool_name, tool_input });

function deletion(path: string, more: Fields = {}): ToolCall {
  return call("write_file", { file_path: path, content: "", deleted: true, ...more });
}

function edit(path: string, { oldText, newText }: Hunk, more: Fields = {}): ToolCall {
  return call("replace", { file_path: path, old_string: oldText, new_string: newText, ...more });
}

function changeFor(name: string, input: Fields): FileChange | undefined {
  const path = textOf(input.file_path);
  if (path === undefined || "moved_to" in input || "moved_from" in input) return undefined;
  if (name === "write_file" && input.deleted === true) return { kind: "delete", path };
  const { content, old_string, new_string, allow_multiple, expected_replacements = 1 } = input;
  if (name === "write_file") return typeof content === "string" ? { kind: "add", path, content } : undefined;
  if (name !== "replace" || typeof old_string !== "string" || typeof new_string !== "string") return undefined;
  if (allow_multiple || expected_replacements !== 1) return undefined;
  return { kind: "update", path, hunks: [{ oldText: old_string, newText: new_string }] };
}

/** Paths of a patch are relative to the folder in which it is applied. */
function withPaths(change: FileChange, folder: string): FileChange {
  const path = inFolder(folder, change.path);
  if (change.kind !== "update" || change.movedTo === undefined) return { ...change, path };
  return { ...change, path, movedTo: inFolder(folder, change.movedTo) };
}

function inFolder(folder: string, path: string): string {
  return folder === "" || posix.isAbsolute(path) ? path : posix.join(folder, path);
}
