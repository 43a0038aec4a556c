import { randomUUID } from "node:crypto";

/** Without characters that are easily confused. */
const ALPHABET = "abcdefghjkmnpqrstvwxyz0123456789";
const LENGTH = 10;

/** Short enough to type, with 50 random bits against guesses and collisions. */
export function newTaskKey(): string {
  // The first and the last twelve of a UUID's 32 digits are random; and Node generates UUIDs in advance.
  const digits = randomUUID().replaceAll("-", "");
  const bytes = [...Buffer.from(digits.slice(0, 12) + digits.slice(20), "hex")].slice(0, LENGTH);
  return `t-${bytes.map((byte) => ALPHABET[byte % ALPHABET.length]).join("")}`;
}
