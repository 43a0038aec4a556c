import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type EventSpec, HooklineError } from "@hookline/engine";
import { errorText, type Fields, isFields } from "@hookline/engine/program";
import type { Io } from "../terminal/io.ts";
import type { NamedEvent } from "./eventNamed.ts";

/** Reads the event's input from a file, from standard input (`-`) or from the catalog's sample, and overrides single fields. */
export async function readInput(
  io: Io,
  event: NamedEvent,
  { from, overrides }: { readonly from: string | undefined; readonly overrides: readonly string[] },
): Promise<Fields> {
  const given = from === undefined ? event.spec.sample : await readObject(io, from);
  const fields = overridden(given, overrides);
  const parsed = event.spec.input.safeParse(fields);
  if (parsed.success) return fields;
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "input"}: ${message}`);
  throw invalid(`The input of ${event.name} is invalid: ${issues.join("; ")}.`);
}

/** `tool_input.file_path=a.txt` sets one field and keeps the others. A value that parses as JSON is JSON, any other is text. */
export function overridden(fields: Fields, overrides: readonly string[]): Fields {
  return overrides.reduce((sofar, override) => {
    const equals = override.indexOf("=");
    if (equals < 1) {
      const next = "Write it as key=value, such as tool_name=read_file or tool_input.file_path=a.txt.";
      throw invalid(`"${override}" is not of the form key=value.`, next);
    }
    return replaceAt(sofar, override.slice(0, equals).split("."), jsonOrText(override.slice(equals + 1)));
  }, fields);
}

/** The event's subject in the input. */
export function subjectIn({ subject }: EventSpec, fields: Fields): string | undefined {
  if (subject === null) return undefined;
  const value = subject.field
    .split(".")
    .reduce<unknown>((inner, key) => (isFields(inner) ? inner[key] : undefined), fields);
  return typeof value === "string" ? value : undefined;
}

async function readObject(io: Io, from: string): Promise<Fields> {
  const name = from === "-" ? "standard input" : from;
  const text = from === "-" ? await io.readStdin() : await readText(resolve(io.cwd, from));
  const next = "Pass one JSON object.";
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalid(`${name} is not JSON: ${errorText(cause)}.`, next);
  }
  if (!isFields(value)) throw invalid(`${name} is not a JSON object.`, next);
  return value;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const what = `The file cannot be read: ${errorText(cause)}.`;
    throw new HooklineError({ code: "INPUT_INVALID", where: { file }, what, next: "Correct the path.", cause });
  }
}

function replaceAt(fields: Fields, [key, ...rest]: readonly string[], value: unknown): Fields {
  if (key === undefined) return fields;
  const inner = Object.hasOwn(fields, key) ? fields[key] : undefined;
  // A computed key makes "__proto__" an ordinary field.
  return { ...fields, [key]: rest.length === 0 ? value : replaceAt(isFields(inner) ? inner : {}, rest, value) };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function invalid(what: string, next?: string): HooklineError {
  return new HooklineError({ code: "INPUT_INVALID", what, ...(next === undefined ? {} : { next }) });
}
