import { randomBytes } from "node:crypto";

/** Without letters and digits that are taken for one another. */
const ALPHABET = "abcdefghjkmnpqrstvwxyz0123456789";
const LENGTH = 10;

/** Short enough to be typed, and of too many to be guessed or to collide: 50 bits. */
export function newTaskKey(): string {
  const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]);
  return `t-${letters.join("")}`;
}
