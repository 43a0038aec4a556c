import { REDACTED } from "@hookline/engine/program";
import type { EventEntry, HookRef } from "../records/entry.ts";
import type { RecordBody } from "../records/record.ts";
import { hiddenRewrites } from "../redaction/hiddenRewrites.ts";
import type { Redacted, Redaction } from "../redaction/redaction.ts";

/** Redacts the payloads of one row, and tracks whether anything was removed. */
export class Payloads {
  readonly #redaction: Redaction;
  #redacted = false;
  #cut = false;

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
  }

  value(given: unknown): unknown {
    return this.#kept(this.#redaction.payload(given));
  }

  text(given: string): string {
    return this.#kept(this.#redaction.text(given));
  }

  subject(given: string | undefined): string | null {
    return given === undefined ? null : this.text(given);
  }

  reason(given: string | undefined): { readonly reason?: string } {
    return given === undefined ? {} : { reason: this.text(given) };
  }

  /** A hook without a name is called by its command or URL. */
  hook({ name, source, place, type }: HookRef): HookRef {
    const shown = { name: this.#redaction.name(name), source, type };
    return place === undefined ? shown : { ...shown, place: this.#redaction.name(place) };
  }

  rewrites({ rewrites, input }: EventEntry): NonNullable<RecordBody["rewrites"]> {
    const isHidden = hiddenRewrites(input, rewrites, this.#redaction.names);
    const shown = (path: readonly string[], value: unknown) =>
      value !== undefined && isHidden(path, value) ? this.#hidden(value) : this.value(value);
    return rewrites.map(({ path, before, after, hook }) => ({
      path: path.map((key) => this.#kept(this.#redaction.key(key))),
      before: shown(path, before),
      after: shown(path, after),
      hook: this.#redaction.name(hook),
    }));
  }

  flags(): { readonly redacted?: true; readonly cut?: true } {
    return { ...(this.#redacted ? { redacted: true } : {}), ...(this.#cut ? { cut: true } : {}) };
  }

  #hidden(value: unknown): string {
    this.#redacted ||= value !== REDACTED;
    return REDACTED;
  }

  #kept<Value>({ value, redacted, cut }: Redacted<Value>): Value {
    this.#redacted ||= redacted;
    this.#cut ||= cut;
    return value;
  }
}
