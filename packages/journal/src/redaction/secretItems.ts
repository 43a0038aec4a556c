import type { Names } from "./hiddenFields.ts";

const FLAG = /^--?[A-Za-z][\w-]+$/;
const NAME = /^[\w.:-]{1,100}$/;
const KEY_BEGINS = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----\s*$/;
/** One line of a key: base64, `Proc-Type: 4,ENCRYPTED`, or empty. */
const KEY_LINE = /^(?:[\w+/=]*|[\w-]{1,40}: [^\r\n]{0,200})$/;
const LONGEST_LINE = 1_000;

/**
 * Tells for each item of a list in turn whether it is a secret, judged by the items before it: a flag, or the start of
 * a key.
 */
export function secretItemDetector(names: Names): (item: unknown) => boolean {
  let before: unknown;
  let isInKey = false;
  return (item) => {
    const isText = typeof item === "string";
    const isFlagged = isText && !item.startsWith("-") && isSecretFlag(before, names);
    const isLine = isText && item.length <= LONGEST_LINE;
    const isOfKey = isInKey && isLine && KEY_LINE.test(item.trim());
    isInKey = isOfKey || (isLine && KEY_BEGINS.test(item));
    before = item;
    return isFlagged || (isOfKey && item !== "");
  };
}

/** `["x-api-key", "…"]` as an item of a list of pairs. */
export function isSecretPair(item: unknown, names: Names): item is readonly [string, string] {
  if (!Array.isArray(item) || item.length !== 2) return false;
  const [name, value]: readonly unknown[] = item;
  if (typeof name !== "string" || typeof value !== "string" || value === "") return false;
  return NAME.test(name) && names(name, value) !== "nothing";
}

function isSecretFlag(item: unknown, names: Names): boolean {
  return typeof item === "string" && FLAG.test(item) && names(item) !== "nothing";
}
