/** Outside of code, what looks like a tag would not be shown, and what stands between two stars would lean. */
export function prose(text) {
  const pieces = text.split("`");
  const escaped = (piece) => piece.replaceAll("<", "&lt;").replaceAll("*", "\\*");
  return pieces.map((piece, index) => (index % 2 === 0 ? escaped(piece) : piece)).join("`");
}

/** A page written by hand, with generated tables between `<!-- table: name -->` and `<!-- end -->`. */
export function fillTables(path, page, tables) {
  const missing = Object.keys(tables).filter((name) => !page.includes(`<!-- table: ${name} -->`));
  if (missing.length > 0) throw new Error(`${path} has no place for the tables ${missing.join(", ")}`);
  return page.replace(/(<!-- table: (.+) -->\n)[\s\S]*?(<!-- end -->)/g, (_, begin, name, end) => {
    if (!(name in tables)) throw new Error(`${path} wants a table "${name}", which nothing makes`);
    return [begin, ...tables[name], "", end].join("\n");
  });
}
