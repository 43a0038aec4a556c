/** Reads single columns of a row. A schema library would take longer to load than the journal takes to open. */
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

/** A single row has a Buffer; each of several rows has an ArrayBuffer. */
export function bytesIn(row: unknown, column: string): Buffer {
  const value = valueIn(row, column);
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  throw wrong(column, value);
}

function valueIn(row: unknown, column: string): unknown {
  return typeof row === "object" && row !== null ? Object.getOwnPropertyDescriptor(row, column)?.value : undefined;
}

/** Reports a database that another program has written to. */
function wrong(column: string, value: unknown): Error {
  return Object.assign(new Error(`${column} is ${value === undefined ? "missing" : typeof value}`), {
    code: "SQLITE_CORRUPT",
  });
}
