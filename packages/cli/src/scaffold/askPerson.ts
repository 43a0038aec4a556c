import { cancelledAtEnd } from "../terminal/endOfInput.ts";
import { Interrupted } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";

interface Choice {
  readonly value: string;
  readonly hint?: string;
}

/** Asks questions at a terminal. Ctrl-C or the end of input ends the program before it has written anything. */
export interface Person {
  readonly choose: (message: string, choices: readonly Choice[]) => Promise<string>;
  /** The check returns what is wrong. */
  readonly type: (
    message: string,
    options: { readonly check?: (text: string) => string | undefined; readonly preset?: string },
  ) => Promise<string>;
}

/** The user at the terminal; undefined without a terminal, or if a program reads the output. */
export async function personAt(io: Io, { json }: { readonly json: boolean }): Promise<Person | undefined> {
  const input = io.terminal?.input;
  if (!io.interactive || json || input === undefined) return undefined;
  // Loaded lazily: only prompts need it.
  const prompts = await import("@clack/prompts");
  const answerTo = async (ask: () => Promise<string | symbol>): Promise<string> => {
    const value = await cancelledAtEnd(input, ask);
    if (typeof value === "symbol") throw new Interrupted();
    return value;
  };
  return {
    choose: async (message, choices) => {
      const options = choices.map(({ value, hint }) => ({ value, ...(hint === undefined ? {} : { hint }) }));
      return answerTo(() => prompts.select<string>({ message, options, maxItems: 8, signal: io.signal }));
    },
    type: async (message, { check, preset }) => {
      const validate = (text = "") => (preset !== undefined && text === "" ? undefined : check?.(text));
      const defaults = preset === undefined ? {} : { placeholder: preset, defaultValue: preset };
      return answerTo(() => prompts.text({ message, validate, ...defaults, signal: io.signal }));
    },
  };
}
