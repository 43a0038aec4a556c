const MOST_NAMES = 5;

/** The first names of a list, and how many more there are. */
export function nameFew(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
