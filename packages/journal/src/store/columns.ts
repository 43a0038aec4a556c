/** Reads single columns of a row. A schema library would do it, too, and take longer to load than the journal to be opened. */
export function numberIn(row: unknown, column: string): number {
  const value = valueIn(row, column);
  if (typeof value !== "number") throw wrong(column, value);
  return value;
}

export function textIn(row: unknown, column: string): string {
  const value = valueIn(row, column);
  if (typeof value !== "string") throw wrong(column, value);
  return value;
}

export function maybeTextIn(row: unknown, column: string): string | null {
  return valueIn(row, column) === null ? null : textIn(row, column);
}

/** One row comes with a buffer, several with an ArrayBuffer each. */
export function bytesIn(row: unknown, column: string): Buffer {
  const value = valueIn(row, column);
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  throw wrong(column, value);
}

function valueIn(row: unknown, column: string): unknown {
  return typeof row === "object" && row !== null ? Object.getOwnPropertyDescriptor(row, column)?.value : undefined;
}

/** As a database is found out that was written to by somebody else. */
function wrong(column: string, value: unknown): Error {
  return Object.assign(new Error(`${column} is ${value === undefined ? "missing" : typeof value}`), {
    code: "SQLITE_CORRUPT",
  });
}
