import type { DialectTool } from "./dialect.ts";
import { type Fields, isFields, ownOf } from "./fields.ts";
import { patchCalls, patchFor, patchInCommand } from "./patchCalls.ts";

type Names = Readonly<Record<string, string>>;

/** A tool that does what one of ours does; `names` are their arguments that have another name here. */
export function tool(theirs: string, ours: string, names: Names = {}): DialectTool {
  const back = Object.fromEntries(Object.entries(names).map(([their, our]) => [our, their]));
  const renames = Object.entries(names).map(([their, our]) => `\`${their}\` is \`${our}\``);
  return {
    theirs,
    ours: [ours],
    about: renames.join(", "),
    decode: (input) => [{ tool_name: ours, tool_input: withNames(input, names) }],
    encode: ({ tool_input }) => withNames(tool_input, back),
  };
}

/** A tool that we have no other name for. */
export const kept = (name: string): DialectTool => tool(name, name);

/** Several edits of one file in one call. */
export function multiEdit(theirs: string, names: Names): DialectTool {
  const single = tool("", "replace", names);
  return {
    theirs,
    ours: ["replace"],
    about: "one event for each of its `edits`",
    decode: ({ edits, ...common }) => {
      if (!Array.isArray(edits) || edits.length === 0 || !edits.every(isFields)) return undefined;
      // An edit cannot name another file than the call does.
      return edits.flatMap((edit) => single.decode({ ...common, ...edit, ...common }) ?? []);
    },
    encode: (call) => {
      const { file_path, ...edit } = single.encode(call) ?? {};
      return { file_path, edits: [edit] };
    },
  };
}

/** A shell that also understands `apply_patch` with a patch in a here-document. Guards of the shell and of files both see such a command. */
export function shellWithPatch(theirs: string): DialectTool {
  const shell = tool(theirs, "run_shell_command");
  return {
    ...shell,
    ours: ["run_shell_command", "write_file", "replace"],
    about: "a patch for `apply_patch` in the command also becomes the events of its files",
    decode: (input) => {
      const written = typeof input.command === "string" ? patchInCommand(input.command) : "none";
      if (written === "unreadable") return undefined;
      return [...(shell.decode(input) ?? []), ...(written === "none" ? [] : written)];
    },
    encode: (call) => (call.tool_name === "run_shell_command" ? shell.encode(call) : undefined),
  };
}

/** A tool that takes a patch of several files. */
export function patchTool(theirs: string): DialectTool {
  return {
    theirs,
    ours: ["write_file", "replace"],
    about:
      "one event for each file, and for each hunk of a file that it edits; a deleted file is a `write_file` with `deleted: true`",
    decode: ({ command }) => (typeof command === "string" ? patchCalls(command) : undefined),
    encode: patchFor,
  };
}

/**
 * In the order of the given fields, so that a rewrite reads like the call. A field that has the new name already is dropped: the tool does
 * not know it, and a guard would read it instead of the one that counts.
 */
function withNames(input: Fields, names: Names): Fields {
  const taken = new Set(Object.entries(names).flatMap(([from, to]) => (Object.hasOwn(input, from) ? [to] : [])));
  return Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      const renamed = ownOf(names, name);
      if (renamed !== undefined) return [[renamed, value]];
      return taken.has(name) ? [] : [[name, value]];
    }),
  );
}
