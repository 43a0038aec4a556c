/** The message of a thrown value, which can be anything. */
export function errorText(error: unknown): string {
  try {
    return (error instanceof Error && error.message) || String(error);
  } catch {
    return "something that cannot be shown was thrown";
  }
}
