const colours = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code, text) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text);

const WIDTHS = [46, 13, 10, 14, 8, 8];
const columns = (cells) => cells.map((cell, i) => (i ? cell.padStart(WIDTHS[i]) : cell.padEnd(WIDTHS[i]))).join(" ");

export function header() {
  return paint(1, `${columns(["case", "ours", "floor", "peer", "/floor", "/peer"])}     bar`);
}

export function line(row) {
  const mark = row.pass ? paint(32, "ok  ") : paint(31, "MISS");
  return `${columns([row.case, ...figures(row)])} ${mark} ${row.bar}`;
}

export function summary(rows) {
  const held = rows.filter(({ pass }) => pass).length;
  return paint(held === rows.length ? 32 : 31, `${held} of ${rows.length} cases hold their bars`);
}

function figures(row) {
  if (row.ours_bytes)
    return [megabytes(row.ours_bytes), "", megabytes(row.peer_bytes), "", ratio(row.ours_bytes / row.peer_bytes)];
  if ("fd_growth" in row)
    return [growth(row.rss_growth_mb, row.fd_growth), "", growth(row.peer_rss_growth_mb, row.peer_fd_growth), "", ""];
  if ("wake_ups_a_minute" in row) return [`${row.resident_mb.toFixed(0)} MB`, "", "", "", ""];
  return [
    time(row.ours_us),
    time(row.floor_us),
    time(row.peer_us),
    ratio(row.ratio_to_floor),
    ratio(row.ratio_to_peer),
  ];
}

function time(us) {
  if (us === undefined) return "";
  return us < 1000 ? `${us.toFixed(us < 10 ? 2 : 1)} us` : `${(us / 1000).toFixed(2)} ms`;
}

const ratio = (value) =>
  value === undefined ? "" : value < 0.1 ? `1/${Math.round(1 / value)}` : `${value.toFixed(2)}x`;
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
const growth = (mb, descriptors) => `${mb >= 0 ? "+" : ""}${mb.toFixed(1)} MB, ${descriptors} fd`;
