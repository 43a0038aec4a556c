/** Why a call cannot be made or did not succeed, in words for the model. */
export class ToolFault extends Error {
  override readonly name = "ToolFault";
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
