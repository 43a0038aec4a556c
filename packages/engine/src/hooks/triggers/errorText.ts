/** What was thrown, in words; anything can be. */
export function errorText(error: unknown): string {
  try {
    return (error instanceof Error && error.message) || String(error);
  } catch {
    return "something that cannot be shown was thrown";
  }
}
