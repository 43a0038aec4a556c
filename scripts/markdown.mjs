/** Outside of code, what looks like a tag would not be shown, and what stands between two stars would lean. */
export function prose(text) {
  const pieces = text.split("`");
  const escaped = (piece) => piece.replaceAll("<", "&lt;").replaceAll("*", "\\*");
  return pieces.map((piece, index) => (index % 2 === 0 ? escaped(piece) : piece)).join("`");
}
