import { isSecretName, REDACTED, redactText } from "@hookline/engine";
import { boundData } from "./boundData.ts";
import { cutHead, cutText } from "./cutText.ts";
import { redactJsonText } from "./jsonText.ts";
import { withoutValues } from "./liveValues.ts";
import { type Naming, PlainCopy } from "./plainCopy.ts";

export interface RedactionRules {
  /** Names of fields whose values are secrets, besides the usual ones. */
  readonly keys: readonly string[];
  /** Regular expressions: what matches is taken out. */
  readonly patterns: readonly string[];
  /** Live secrets, see liveSecrets.ts. */
  readonly values: readonly string[];
  readonly payloadBytes: number;
}

export interface Redacted<Value> {
  readonly value: Value;
  /** Something secret was taken out. */
  readonly redacted: boolean;
  /** Something was too long to be kept whole. */
  readonly cut: boolean;
}

/** Text is redacted this far beyond what is kept, so that the cut never falls into a secret that is still whole. */
const BEYOND = 64 * 1024;
/** A secret that begins further from the end of what is redacted than this, or than the longest live one, ends before it. */
const UNSURE = 4 * 1024;
/** Longer texts would exhaust the stack of regular expressions. */
const LONGEST_TEXT = 2 * 1024 * 1024;
/** Nothing in so few characters is a secret, if the settings have no pattern for it. */
const SHORTEST_SECRET = 4;
const LONGEST_KEY_BYTES = 256;
const MOST_KEYS = 5_000;

/** What must not be written down, taken out of what is. */
export class Redaction {
  readonly #payloadBytes: number;
  readonly #window: number;
  readonly #unsure: number;
  readonly #shortest: number;
  readonly #withoutValues: (text: string) => string;
  readonly #patterns: readonly RegExp[];
  readonly #keys: ReadonlySet<string>;
  readonly #isSecret = (name: string): boolean => this.#names(name) !== "nothing";
  /** The same keys come again and again. */
  readonly #shownKeys = new Map<string, Redacted<string>>();

  constructor(rules: RedactionRules) {
    const longest = rules.values.reduce((length, value) => Math.max(length, value.length), 0);
    this.#payloadBytes = rules.payloadBytes;
    this.#unsure = Math.max(UNSURE, longest);
    this.#window = Math.min(rules.payloadBytes + BEYOND + this.#unsure, LONGEST_TEXT);
    this.#shortest = rules.patterns.length > 0 ? 0 : SHORTEST_SECRET;
    this.#withoutValues = withoutValues(rules.values);
    this.#patterns = rules.patterns.map(sparingMarks);
    this.#keys = new Set(rules.keys.map(normalised));
  }

  text(given: string): Redacted<string> {
    return this.#bounded(given, this.#payloadBytes);
  }

  payload(given: unknown): Redacted<unknown> {
    const copy = this.#copy();
    const value = copy.of(given);
    const bounded = boundData(value, this.#payloadBytes);
    return { value: bounded, redacted: copy.redacted, cut: copy.cut || bounded !== value };
  }

  #copy(): PlainCopy {
    return new PlainCopy({
      text: (text) => this.text(text),
      key: (key) => this.#key(key),
      names: (key) => this.#names(key),
      mostValues: 4 * this.#payloadBytes,
      longestText: this.#window,
      mostCharacters: 4 * this.#window,
    });
  }

  #bounded(given: string, maxBytes: number): Redacted<string> {
    const isWhole = given.length <= this.#window;
    const seen = isWhole ? given : given.slice(0, this.#window);
    const { value, cut } = this.#hidden(seen);
    const redacted = value !== seen;
    if (isWhole) {
      const shown = cutText(value, maxBytes);
      return { value: shown, redacted, cut: cut || shown !== value };
    }
    const sure = value.slice(0, Math.max(0, value.length - this.#unsure));
    return { value: cutHead(sure, maxBytes, given.length), redacted, cut: true };
  }

  #hidden(text: string): { readonly value: string; readonly cut: boolean } {
    if (text.length < this.#shortest) return { value: text, cut: false };
    try {
      const unmatched = this.#patterns.reduce((shown, one) => shown.replace(one, hide), this.#withoutValues(text));
      const json = redactJsonText(unmatched, () => this.#copy());
      return { value: redactText(json.text, this.#isSecret), cut: json.cut };
    } catch {
      // A pattern of the settings that gives up must not let through what it was to find.
      return { value: REDACTED, cut: true };
    }
  }

  #key(key: string): Redacted<string> {
    const known = this.#shownKeys.get(key);
    if (known !== undefined) return known;
    if (this.#shownKeys.size >= MOST_KEYS) this.#shownKeys.clear();
    const shown = this.#bounded(key, LONGEST_KEY_BYTES);
    if (key.length <= LONGEST_KEY_BYTES) this.#shownKeys.set(key, shown);
    return shown;
  }

  #names(key: string): Naming {
    if (this.#keys.size > 0 && this.#keys.has(normalised(key))) return "chosen";
    return isSecretName(key) ? "secret" : "nothing";
  }
}

/** What was taken out already is not touched again. */
function sparingMarks(pattern: string): RegExp {
  return new RegExp(`\\[redacted\\]|(?:${pattern})`, "gu");
}

function hide(found: string): string {
  return found === "" ? "" : REDACTED;
}

function normalised(key: string): string {
  return key.toLowerCase().replaceAll(/[-_]/g, "");
}
