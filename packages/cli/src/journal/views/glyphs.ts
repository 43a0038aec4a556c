import type { Io } from "../../terminal/io.ts";

/** Characters for bars and histograms. */
export interface Glyphs {
  readonly event: string;
  readonly hook: string;
  readonly call: string;
  readonly approval: string;
  /** From few to many. */
  readonly levels: readonly string[];
}

const DRAWN: Glyphs = { event: "█", hook: "▒", call: "━", approval: "░", levels: [..."▁▂▃▄▅▆▇█"] };
const TYPED: Glyphs = { event: "#", hook: "+", call: "=", approval: "?", levels: [...".:-=+*#@"] };

/** ASCII if the locale rules out more. Without a locale, assume Unicode, which most terminals support. */
export function glyphsFor({ env }: Pick<Io, "env">): Glyphs {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "";
  return locale === "" || /utf-?8/i.test(locale) ? DRAWN : TYPED;
}
