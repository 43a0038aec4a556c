import { type IsSecret, isHarmless } from "./assignedValues.ts";
import { REDACTED } from "./redacted.ts";

/** `<password>x</password>`, also with attributes, as CDATA, and as JSON that escapes the slash. */
const TAGGED =
  /(<([A-Za-z][\w:.-]{0,99})(?:\s[^<>]{0,500})?>(?:\s{0,100}<!\[CDATA\[)?)([^<]+)(?=<\\{0,15}\/\2\s{0,20}>)/g;

/** Redacts the content of tags with a secret name. */
export function redactTagged(text: string, isSecret: IsSecret): string {
  if (!/<\\{0,15}\//.test(text)) return text;
  return text.replace(TAGGED, (all, tag: string, name: string, value: string) => {
    const end = tag.endsWith("[") && value.trimEnd().endsWith("]]>") ? "]]>" : "";
    const content = value.trim().slice(0, value.trim().length - end.length);
    return isSecret(name) && !isHarmless(name, ">", content) ? `${tag}${REDACTED}${end}` : all;
  });
}
