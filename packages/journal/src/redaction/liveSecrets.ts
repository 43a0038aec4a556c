import { scrubEnvironment } from "@hookline/engine/process";

const SHORTEST = 6;
const SHORTEST_LINE = 16;
/** Common values of such variables that are not secrets. */
const PLAIN =
  /^(true|false|null|none|undefined|default|enabled|disabled|always|never|production|development|staging|localhost|[a-z]{2}(-[a-z]+){1,3}-\d)$/i;

/** The values of the variables that are withheld from hooks, in their usual encodings, longest first. */
export function liveSecrets(env: NodeJS.ProcessEnv): readonly string[] {
  const values = scrubEnvironment(env, []).withheld.flatMap((name) => parts((env[name] ?? "").trim()));
  const forms = new Set(values.filter(isSecret).flatMap(formsOf));
  return [...forms].sort((one, other) => other.length - one.length);
}

function isSecret(value: string): boolean {
  return value.length >= SHORTEST && !PLAIN.test(value);
}

/**
 * Each line of a multi-line value; the password of a URL. The first and last line of a key are the same in every key,
 * so they are left out.
 */
function parts(value: string): string[] {
  const lines = value.split(/\r?\n/);
  const secretLines = lines.filter((line) => line.trim().length >= SHORTEST_LINE && !line.startsWith("-----"));
  return [value, ...(lines.length > 1 ? secretLines.map((line) => line.trim()) : []), ...passwordsIn(value)];
}

function passwordsIn(value: string): string[] {
  const [, password] = /^[a-z][a-z0-9+.-]*:\/\/[^/@:]*:(.+)@/i.exec(value) ?? [];
  if (password === undefined) return [];
  return [password, decoded(password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A value as it is, and encoded in JSON, in a URL, in base64 and in hexadecimal. */
export function formsOf(value: string): string[] {
  const text = Buffer.from(value).toString(); // half a surrogate pair cannot be encoded
  return [value, ...escapedForms(value), ...percentForms(text), ...base64Forms(text), ...hexForms(text)].filter(
    (form) => form.length >= SHORTEST,
  );
}

/** Escaped in JSON, and in JSON within JSON. Some programs also escape HTML characters. */
function escapedForms(value: string): string[] {
  const once = escaped(value);
  const forHtml = once.replaceAll(/[<>&]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
  return [once, escaped(once), escaped(escaped(once)), forHtml];
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function percentForms(text: string): string[] {
  const usual = encodeURIComponent(text);
  const strict = usual.replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const lower = [usual, strict].map((form) => form.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
  return [usual, strict, ...lower, usual.replaceAll("%20", "+")];
}

function hexForms(text: string): string[] {
  const lower = Buffer.from(text).toString("hex");
  return [lower, lower.toUpperCase()];
}

/**
 * The base64 characters that depend on this text alone, whatever precedes it (a user name) or follows it (a line feed).
 */
function base64Forms(text: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const shared = bytes.length % 3 === 0 ? 0 : 1;
    const encoded = bytes.toString("base64url");
    const own = encoded.slice(before === 0 ? 0 : before + 1, encoded.length - shared);
    return [own, own.replaceAll("-", "+").replaceAll("_", "/")];
  });
}
