import { Interrupted } from "../exitCode.ts";
import type { Io } from "../io.ts";

interface Choice {
  readonly value: string;
  readonly hint?: string;
}

/** Questions at a terminal. Ctrl-C ends the program before anything was written. */
export interface Person {
  readonly choose: (message: string, choices: readonly Choice[]) => Promise<string>;
  /** The check answers with what is wrong. */
  readonly type: (
    message: string,
    options: { readonly check?: (text: string) => string | undefined; readonly preset?: string },
  ) => Promise<string>;
}

/** Whoever sits at the terminal; nobody where there is none, or where a program reads what is printed. */
export async function personAt(io: Io, { json }: { readonly json: boolean }): Promise<Person | undefined> {
  if (!io.interactive || json) return undefined;
  // Loaded only where somebody is asked.
  const prompts = await import("@clack/prompts");
  const answered = (value: string | symbol): string => {
    if (typeof value === "symbol") throw new Interrupted();
    return value;
  };
  return {
    choose: async (message, choices) => {
      const options = choices.map(({ value, hint }) => ({ value, ...(hint === undefined ? {} : { hint }) }));
      return answered(await prompts.select<string>({ message, options, maxItems: 8, signal: io.signal }));
    },
    type: async (message, { check, preset }) => {
      const validate = (text = "") => (preset !== undefined && text === "" ? undefined : check?.(text));
      const defaults = preset === undefined ? {} : { placeholder: preset, defaultValue: preset };
      return answered(await prompts.text({ message, validate, ...defaults, signal: io.signal }));
    },
  };
}
