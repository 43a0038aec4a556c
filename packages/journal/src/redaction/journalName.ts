import { redactText } from "@hookline/engine/program";
import { cutText } from "./cutText.ts";

export const LONGEST_NAME_BYTES = 4_096;

/**
 * What the journal calls a hook that is declared by this name: one without a name is called by its command or address, and there may be a
 * secret in it. What only the writer knows for one (a variable's value, the settings' patterns) is not looked for.
 */
export function journalName(declared: string): string {
  return cutText(redactText(declared), LONGEST_NAME_BYTES);
}
