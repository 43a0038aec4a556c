/** The facts of a hook call, without its payload. */
export interface HookHead {
  readonly host: string;
  readonly event: string;
  /** A real path. */
  readonly cwd: string;
  readonly deadlineMs: number;
  readonly askDeadlineMs: number;
  readonly trustProject: boolean;
  readonly env: Readonly<Record<string, string>>;
}

/** The peer does not speak this protocol; its connection is of no further use. */
export class WireError extends Error {}

const VERSION = "1";
/** A day: no host waits longer, and timers take it. */
export const MAX_DEADLINE_MS = 86_400_000;

/**
 * NUL-terminated fields, `name=value`; after the field `env` the entries of the environment. Fields of later versions are passed over.
 * Fields that are missing, doubled or malformed throw a WireError.
 */
export function readHead(bytes: Buffer): HookHead {
  const text = bytes.toString("utf8");
  if (!text.endsWith("\0")) throw new WireError("The head does not end with NUL.");
  const all = text.slice(0, -1).split("\0");
  const end = all.indexOf("env");
  if (end === -1) throw new WireError("The head has no environment.");
  const fields = readFields(all.slice(0, end));
  if (fields.version !== VERSION) throw new WireError(`The head has version ${quoted(fields.version)}, not 1.`);
  return {
    host: textIn(fields, "host"),
    event: textIn(fields, "event"),
    cwd: folderIn(fields, "cwd"),
    deadlineMs: durationIn(fields, "deadline"),
    askDeadlineMs: durationIn(fields, "ask-deadline"),
    trustProject: switchIn(fields, "trust-project"),
    env: readEnv(all.slice(end + 1)),
  };
}

type Fields = Readonly<Record<string, string>>;

function readFields(entries: readonly string[]): Fields {
  const fields: Record<string, string> = Object.create(null);
  for (const entry of entries) {
    const { name, value } = split(entry);
    if (name === "") throw new WireError(`${quoted(entry)} in the head is not a field.`);
    if (name in fields) throw new WireError(`The head has two fields ${quoted(name)}.`);
    fields[name] = value;
  }
  return fields;
}

/** The first of duplicate variables counts, as in getenv. Skips malformed entries and HOOKLINE_*, which a repository's `.env` may set. */
function readEnv(entries: readonly string[]): Readonly<Record<string, string>> {
  const env = new Map<string, string>();
  for (const entry of entries) {
    const { name, value } = split(entry);
    if (name !== "" && !name.startsWith("HOOKLINE_") && !env.has(name)) env.set(name, value);
  }
  return Object.fromEntries(env);
}

/** Without `=`, the name is empty. */
function split(entry: string): { readonly name: string; readonly value: string } {
  const at = entry.indexOf("=");
  return { name: entry.slice(0, Math.max(at, 0)), value: entry.slice(at + 1) };
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  if (value === undefined || value === "") throw new WireError(`The head has no ${name}.`);
  return value;
}

function folderIn(fields: Fields, name: string): string {
  const value = textIn(fields, name);
  if (!value.startsWith("/")) throw new WireError(`${name} in the head is not an absolute path.`);
  return value;
}

function durationIn(fields: Fields, name: string): number {
  const value = textIn(fields, name);
  if (!/^\d{1,8}$/.test(value) || Number(value) > MAX_DEADLINE_MS) {
    throw new WireError(`${name} in the head must be milliseconds up to ${MAX_DEADLINE_MS}, got ${quoted(value)}.`);
  }
  return Number(value);
}

function switchIn(fields: Fields, name: string): boolean {
  const value = textIn(fields, name);
  if (value !== "0" && value !== "1") throw new WireError(`${name} in the head must be 0 or 1, got ${quoted(value)}.`);
  return value === "1";
}

const MAX_QUOTED = 80;

function quoted(value: string | undefined): string {
  return JSON.stringify((value ?? "").slice(0, MAX_QUOTED));
}
