import { redactText } from "@hookline/engine/program";
import { cutText } from "./cutText.ts";

export const LONGEST_NAME_BYTES = 4_096;

/**
 * The journal's name for a declared hook: a hook without a name is called by its command or URL, which may contain a
 * secret. Secrets that only the writer knows (values of variables, patterns of the settings) are not redacted here.
 */
export function journalName(declared: string): string {
  return cutText(redactText(declared), LONGEST_NAME_BYTES);
}
