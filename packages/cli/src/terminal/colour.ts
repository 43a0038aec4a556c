export type Style = (text: string) => string;
export type Colours = Readonly<Record<keyof typeof CODES, Style>>;

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

const on: Colours = {
  bold: style("bold"),
  dim: style("dim"),
  red: style("red"),
  green: style("green"),
  yellow: style("yellow"),
  cyan: style("cyan"),
};
const same: Style = (text) => text;
const off: Colours = { bold: same, dim: same, red: same, green: same, yellow: same, cyan: same };

export function colours({ colour }: { readonly colour: boolean }): Colours {
  return colour ? on : off;
}

function style(name: keyof typeof CODES): Style {
  const [start, end] = CODES[name];
  return (text) => (text === "" ? "" : `\u001b[${start}m${text}\u001b[${end}m`);
}
