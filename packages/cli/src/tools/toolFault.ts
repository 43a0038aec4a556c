/** Tells the model why a call is invalid or has failed. */
export class ToolFault extends Error {
  override readonly name = "ToolFault";
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
