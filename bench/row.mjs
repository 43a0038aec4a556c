/** One line of the results. A bar is `[what it says, whether it holds]`; the row passes if all of its bars hold. */
export function row(name, { ours, floor, peer }, bars, extra = {}) {
  return {
    case: name,
    ours_us: rounded(ours),
    floor_us: rounded(floor),
    peer_us: rounded(peer),
    ratio_to_floor: rounded(ours / floor),
    ratio_to_peer: rounded(ours / peer),
    ...extra,
    bar: bars.map(([text]) => text).join(", "),
    pass: bars.every(([, holds]) => holds),
  };
}

/** Four significant digits; what was not measured stays out of the JSON. */
export function rounded(value) {
  return Number.isFinite(value) ? Number(value.toPrecision(4)) : undefined;
}
