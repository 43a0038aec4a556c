import { randomUUID } from "node:crypto";

/** Without letters and digits that are taken for one another. */
const ALPHABET = "abcdefghjkmnpqrstvwxyz0123456789";
const LENGTH = 10;

/** Short enough to be typed, and of too many to be guessed or to collide: 50 bits. */
export function newTaskKey(): string {
  // Of an id of 32 digits, the first twelve and the last twelve are chance alone; and Node keeps some in store.
  const digits = randomUUID().replaceAll("-", "");
  const bytes = [...Buffer.from(digits.slice(0, 12) + digits.slice(20), "hex")].slice(0, LENGTH);
  return `t-${bytes.map((byte) => ALPHABET[byte % ALPHABET.length]).join("")}`;
}
