import { unwrapped } from "./unwrapped.ts";

type Word = "allow" | "block" | "ask";

interface Said {
  readonly word: Word;
  readonly isOfficial: boolean;
}

const official = (word: Word): Said => ({ word, isOfficial: true });
/** Not a word of the contract, but with only one possible meaning. */
const unofficial = (word: Word): Said => ({ word, isOfficial: false });

const WORDS: ReadonlyMap<unknown, Said> = new Map([
  ["allow", official("allow")],
  ["approve", official("allow")],
  ["deny", official("block")],
  ["block", official("block")],
  ["ask", official("ask")],
  ["denied", unofficial("block")],
  ["blocked", unofficial("block")],
  ["reject", unofficial("block")],
  ["rejected", unofficial("block")],
  ["refuse", unofficial("block")],
]);

/** The meaning of a `decision`, ignoring case; undefined if it is not a word for a decision. */
export function wordOf(field: unknown): Said | undefined {
  const word = unwrapped(field);
  return WORDS.get(word) ?? (typeof word === "string" ? WORDS.get(word.trim().toLowerCase()) : undefined);
}

/** `false`, or that word as text. */
export function saysStop(field: unknown): boolean {
  const flag = unwrapped(field);
  return flag === false || (typeof flag === "string" && flag.trim().toLowerCase() === "false");
}
