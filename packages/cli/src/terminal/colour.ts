import { styleText } from "node:util";

const NAMES = ["bold", "dim", "red", "green", "yellow", "cyan"] as const;

export type Style = (text: string) => string;
export type Colours = Readonly<Record<(typeof NAMES)[number], Style>>;

// `Io` decides about colour, not the streams of this process.
const on = coloursBy((name) => (text) => (text === "" ? "" : styleText(name, text, { validateStream: false })));
const off = coloursBy(() => (text) => text);

export function colours({ colour }: { readonly colour: boolean }): Colours {
  return colour ? on : off;
}

function coloursBy(style: (name: (typeof NAMES)[number]) => Style): Colours {
  const [bold, dim, red, green, yellow, cyan] = NAMES;
  return {
    bold: style(bold),
    dim: style(dim),
    red: style(red),
    green: style(green),
    yellow: style(yellow),
    cyan: style(cyan),
  };
}
