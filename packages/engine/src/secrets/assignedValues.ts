import { REDACTED } from "./redacted.ts";
import { isVerdict } from "./secretNames.ts";

/** The rest of the line: these values contain spaces. */
const HEADER = /\b((?:proxy-)?authorization|(?:set-)?cookie)(\\{0,15}["']?[ \t]{0,4}:[ \t]{0,4})([^\s"'][^"'\r\n]*)/gi;
/** `password: my own words`, `password = my own words`, `PASSWORD=a&b;c`, at the start of a line. */
const LINE =
  /^([ \t]*(?:- |export )?)([\w.-]+)([ \t]{0,8}:[ \t]+(?=[^\s"'`|>{[])|[ \t]{1,8}=[ \t]+(?=[^\s"'`{[])|=(?=[^\s"'`=[]))((?<==)\S+|[^\r\n]+)/gm;
/** `password: |` or `passwords:`; the value is the indented block below. */
const BLOCK = /^([ \t]*)(?:- )?["']?([\w.-]+)["']?:[ \t]*(?:[|>][-+\d]{0,2}[ \t]*)?\r?\n/gm;
/** `DB_PASSWORD=`, `"token":`, also in quoted JSON. The name is searched for once its sign is found. */
const ASSIGNED = new RegExp(
  `(?:=>|:=|={2,3}(?=[ \\t]{0,4}["'\`])|(?<![=:])[=:])` +
    `(?<=(?<![\\w.-])((?:(?:api|access|secret|private)[ \\t])?[\\w.-]+)\\\\{0,15}["'\`]?\\??[ \\t]{0,4}(?:=>|:=|={2,3}|[=:]))[ \\t]{0,4}`,
  "gi",
);
/** `--api-key `, `["--api-key", ` */
const FLAG = /(?<![\w-])--?([a-z][\w-]{1,60})(?:[ \t]+|\\{0,15}["'][ \t]{0,4},\s{0,40})(?!-)/gi;
const VALUE = new RegExp(
  [
    // Quoted, up to the same quote, or to one that ends the surrounding text.
    "(\\\\{0,15}(?=[\"'`]))([\"'`])(?:(?!(?<!\\\\)(?:\\1)?\\2)[^\\n])*(?:\\1(?=\\2))?",
    "\\{(?:[^{}]|\\{[^{}]*\\})*\\}",
    "\\[(?:[^[\\]]|\\[[^[\\]]*\\])*\\]",
    // JSON that is truncated or nested.
    '[{[]\\s{0,40}\\\\{0,15}"[^]*',
    "(?<==)(?!=)[^\\s\"'`;&|)]+",
    "(?![=:>])[^\\s\"'`,;&|)}\\]]+",
  ].join("|"),
  "y",
);
/** Redacted before, up to what closes the text around it. */
const ALREADY = /^\[redacted\][\]})>,;]*$/;
/** A reference to a secret, such as `$TOKEN`, is not a secret. */
const REFERENCE = /^(?:\w{1,20} )?\$(?:[A-Z_][A-Z0-9_]*|\{\w+\}|\{\{[^{}]*\}\})[,;)}\]]*$/;
/** Neither is a type name, an empty value, or a truncation mark. */
const PLAIN =
  /^(?:str(?:ing)?|number|bool(?:ean)?|unknown|any|null|undefined|none|nil|true|false|bearer|basic|\{\}|\[\])?[,;)?}\]]*$|^…/i;

/** Whether a field with this name holds a secret. */
export type IsSecret = (name: string) => boolean;

/** Redacts values assigned to secret names: in headers, lines, blocks and pairs. */
export function redactAssigned(text: string, isSecret: IsSecret): string {
  if (!/[=:]/.test(text)) return text;
  const ofLines = redactBlocks(text, isSecret)
    .replace(HEADER, (all, name: string, between: string, value: string) => {
      if (isHarmless(name, between, value)) return all;
      return `${name}${between}${REDACTED}${/^\S+ \[redacted\]$/.test(value) ? ` ${REDACTED}` : ""}`;
    })
    .replace(LINE, (all, before: string, name: string, between: string, value: string) =>
      isSecret(name) && !isHarmless(name, between, value) ? `${before}${name}${between}${REDACTED}` : all,
    );
  return redactValues(ofLines, ASSIGNED, isSecret);
}

function redactBlocks(text: string, isSecret: IsSecret): string {
  let kept = "";
  let done = 0;
  for (const { index, 0: line, 1: indent = "", 2: name = "" } of text.matchAll(BLOCK)) {
    const from = index + line.length;
    if (index < done || !isSecret(name) || isVerdict(name, ":", "")) continue;
    const to = endOfBlock(text, from, indent);
    if (["", REDACTED].includes(text.slice(from, to).trim())) continue;
    kept += `${text.slice(done, from)}${indent}  ${REDACTED}\n`;
    done = to;
  }
  return kept + text.slice(done);
}

function endOfBlock(text: string, from: number, indent: string): number {
  let at = from;
  while (at < text.length) {
    const isFurtherIn = text.startsWith(indent, at) && /[ \t-]/.test(text.charAt(at + indent.length));
    if (!isFurtherIn && text.charAt(at) !== "\n") return at;
    const end = text.indexOf("\n", at);
    at = end < 0 ? text.length : end + 1;
  }
  return at;
}

/** `--password x` */
export function redactFlags(text: string, isSecret: IsSecret): string {
  return text.includes("-") ? redactValues(text, FLAG, isSecret) : text;
}

/** Redacts the values of secret names. Other values are searched as well: `"url": "https://host?token=x"`. */
function redactValues(text: string, names: RegExp, isSecret: IsSecret): string {
  let kept = "";
  let done = 0;
  for (const { index, 0: all, 1: name = "" } of text.matchAll(names)) {
    if (index < done || !isSecret(name)) continue;
    VALUE.lastIndex = index + all.length;
    const [value = "", open = "", quote = ""] = VALUE.exec(text) ?? [];
    const from = index + all.length + open.length + quote.length;
    const to = index + all.length + value.length;
    if (isHarmless(name, all, text.slice(from, to))) continue;
    kept += text.slice(done, from) + REDACTED;
    done = to;
  }
  return kept + text.slice(done);
}

/** Whether the text after a secret name and a sign such as `=` is not a secret. */
export function isHarmless(name: string, sign: string, value: string): boolean {
  return (
    ALREADY.test(value) ||
    PLAIN.test(value) ||
    REFERENCE.test(value) ||
    (/tokens$/i.test(name) && /^\d+\W*$/.test(value)) ||
    isVerdict(name, sign, value)
  );
}
