import { randomBytes } from "node:crypto";
import { isSecretName, REDACTED, redactText } from "@hookline/engine/program";
import { boundData } from "./boundData.ts";
import { cutHead, cutText } from "./cutText.ts";
import type { Naming } from "./hiddenFields.ts";
import { LONGEST_NAME_BYTES } from "./journalName.ts";
import { redactJsonText } from "./jsonText.ts";
import { withoutValues } from "./liveValues.ts";
import { memoize } from "./memoize.ts";
import { PlainCopy } from "./plainCopy.ts";

export interface RedactionRules {
  /** Additional names of fields whose values are secrets. */
  readonly keys: readonly string[];
  /** Regular expressions; matches are redacted. */
  readonly patterns: readonly string[];
  /** Live secrets, see liveSecrets.ts. */
  readonly values: readonly string[];
  /** 0: everything is a secret. */
  readonly payloadBytes: number;
}

export interface Redacted<Value> {
  readonly value: Value;
  /** A secret was redacted. */
  readonly redacted: boolean;
  /** Something was too long to keep in full. */
  readonly cut: boolean;
}

/** Redact this far beyond what is kept, so that the cut never splits a secret that was not redacted. */
const BEYOND = 64 * 1024;
/**
 * A secret that starts further than this, or than the longest live one, from the end of the redacted text ends before
 * it.
 */
const UNSURE = 4 * 1024;
/** A live value grows by this factor if each of its characters is written like \u00fc. */
const LONGEST_ESCAPE = 6;
/** Longer texts would exhaust the stack of regular expressions. */
const LONGEST_TEXT = 2 * 1024 * 1024;
/** Shorter texts are never secrets, unless a pattern of the settings matches. */
const SHORTEST_SECRET = 4;
const LONGEST_KEY_BYTES = 256;
const MOST_LEVELS = 100;
const WITHHELD: Redacted<string> = { value: REDACTED, redacted: true, cut: false };

/** Redacts everything that is recorded. */
export class Redaction {
  readonly #payloadBytes: number;
  readonly #window: number;
  readonly #unsure: number;
  readonly #shortest: number;
  readonly #withoutValues: (text: string) => string;
  readonly #patterns: readonly RegExp[];
  readonly #keys: ReadonlySet<string>;
  readonly #isSecret = (name: string): boolean => this.names(name) !== "nothing";
  /** Classifies a field by name and value. */
  readonly names = (key: string, value?: unknown): Naming => {
    if (this.#keys.size > 0 && this.#keys.has(normalised(key))) return "chosen";
    return isSecretName(key, value) ? "secret" : "nothing";
  };
  /** Redacts the name of a field. */
  readonly key = memoize((key) => (this.#payloadBytes === 0 ? WITHHELD : this.#bounded(key, LONGEST_KEY_BYTES)));
  /** Redacts the name or place of a hook, which is not a payload. */
  readonly name = memoize((name) => this.#bounded(name, LONGEST_NAME_BYTES).value);
  /** Keeps sessions apart that look alike after redaction, by a suffix that reveals nothing about the redacted part. */
  readonly session = memoize((id) => {
    const { value, redacted } = this.#bounded(id, LONGEST_NAME_BYTES);
    return redacted ? `${value} ${randomBytes(4).toString("hex")}` : value;
  });

  constructor(rules: RedactionRules) {
    const longest = rules.values.reduce((length, value) => Math.max(length, value.length), 0);
    this.#payloadBytes = rules.payloadBytes;
    this.#unsure = Math.max(UNSURE, LONGEST_ESCAPE * longest);
    this.#window = Math.min(rules.payloadBytes + BEYOND + this.#unsure, LONGEST_TEXT);
    this.#shortest = rules.patterns.length > 0 ? 0 : SHORTEST_SECRET;
    this.#withoutValues = withoutValues(rules.values);
    this.#patterns = rules.patterns.map(sparingMarks);
    this.#keys = new Set(rules.keys.map(normalised));
  }

  text(given: string): Redacted<string> {
    if (this.#payloadBytes === 0) return WITHHELD;
    return this.#bounded(given, this.#payloadBytes);
  }

  payload(given: unknown): Redacted<unknown> {
    if (this.#payloadBytes === 0) return WITHHELD;
    const copy = this.#copy();
    const value = copy.of(given);
    const bounded = boundData(value, this.#payloadBytes);
    return { value: bounded, redacted: copy.redacted, cut: copy.cut || bounded !== value };
  }

  #copy(): PlainCopy {
    return new PlainCopy({
      text: (text) => this.text(text),
      key: this.key,
      names: this.names,
      mostValues: 4 * this.#payloadBytes,
      longestText: this.#window,
      mostCharacters: 4 * this.#window,
      mostLevels: MOST_LEVELS,
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
      // If a pattern of the settings fails, redact everything it could have matched.
      return { value: REDACTED, cut: true };
    }
  }
}

/** Skips text that is already redacted. */
function sparingMarks(pattern: string): RegExp {
  return new RegExp(`\\[redacted\\]|(?:${pattern})`, "gu");
}

function hide(found: string): string {
  return found === "" ? "" : REDACTED;
}

function normalised(key: string): string {
  return key.toLowerCase().replaceAll(/[-_]/g, "");
}
