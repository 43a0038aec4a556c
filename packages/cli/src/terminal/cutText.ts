/** The first `length` UTF-16 units of a text, without splitting a surrogate pair. */
export function headOf(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, isFirstOfPair(text.charCodeAt(length - 1)) ? length - 1 : length);
}

export function tailOf(text: string, length: number): string {
  if (length <= 0) return "";
  if (text.length <= length) return text;
  const start = text.length - length;
  return text.slice(isFirstOfPair(text.charCodeAt(start - 1)) ? start + 1 : start);
}

function isFirstOfPair(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
