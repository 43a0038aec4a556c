const MAX_LENGTH = 2_000;

/** A value as text for people and logs: JSON where it is no text, cut where it is long. */
function summarise(value: unknown): string {
  const text = typeof value === "string" ? value : toJson(value);
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}… (${text.length} characters)`;
}

/** A summary that is made when somebody reads it, and once. */
export function lazySummary(value: unknown): () => string {
  let summary: string | undefined;
  return () => {
    summary ??= summarise(value);
    return summary;
  };
}

function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "(not representable as JSON)";
  }
}
