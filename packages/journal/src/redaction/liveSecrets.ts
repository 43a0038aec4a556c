import { scrubEnvironment } from "@hookline/engine/process";

const SHORTEST = 6;
const SHORTEST_LINE = 16;
/** What such a variable often holds although it is no secret. */
const PLAIN =
  /^(true|false|null|none|undefined|default|enabled|disabled|always|never|production|development|staging|localhost|[a-z]{2}(-[a-z]+){1,3}-\d)$/i;

/** The values of the variables that hooks do not get, in the forms in which they travel, the longest first. */
export function liveSecrets(env: NodeJS.ProcessEnv): readonly string[] {
  const values = scrubEnvironment(env, []).withheld.flatMap((name) => parts((env[name] ?? "").trim()));
  const forms = new Set(values.filter(isSecret).flatMap(formsOf));
  return [...forms].sort((one, other) => other.length - one.length);
}

function isSecret(value: string): boolean {
  return value.length >= SHORTEST && !PLAIN.test(value);
}

/** Of several lines each; of an address its password. The first and last line of a key are the same in all. */
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

/** A value as it is, and as it looks in JSON, in an address, in base64 and in hexadecimal. */
export function formsOf(value: string): string[] {
  const text = Buffer.from(value).toString(); // half a character cannot be encoded
  return [value, ...escapedForms(value), ...percentForms(text), ...base64Forms(text), ...hexForms(text)].filter(
    (form) => form.length >= SHORTEST,
  );
}

/** As it stands in JSON, and in JSON in JSON. Some programs also escape what HTML would read. */
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

/** The characters of base64 that come from this text alone, whatever stands before it (a user's name) or after it (a line feed). */
function base64Forms(text: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const shared = bytes.length % 3 === 0 ? 0 : 1;
    const encoded = bytes.toString("base64url");
    const own = encoded.slice(before === 0 ? 0 : before + 1, encoded.length - shared);
    return [own, own.replaceAll("-", "+").replaceAll("_", "/")];
  });
}
