import { measure } from "../measure.mjs";
import { startOurs } from "../ours.mjs";
import { startPeer } from "../peer.mjs";
import { rounded, row } from "../row.mjs";

export const cases = [{ name: "model event, 1 MB of history, no hook matches", run }];

async function run(name, dir) {
  const hooks = () => ({ BeforeTool: [{ matcher: "write_file", hooks: [{ type: "command", command: "true" }] }] });
  const [ours, peer] = await Promise.all([startOurs({ dir, hooks: hooks() }), startPeer({ dir, hooks: hooks() })]);
  const small = history(10 * 1024);
  const large = history(1024 * 1024);
  const times = await measure({
    small: () => ours.beforeModel(small),
    ours: () => ours.beforeModel(large),
    peer: () => peer.beforeModel(large),
  });
  await ours.dispose();
  const bars = [
    ["< 5 us", times.ours < 5],
    ["<= 2x ours with 10 KB", times.ours <= 2 * times.small],
  ];
  return row(name, times, bars, { ratio_to_10kb: rounded(times.ours / times.small) });
}

/** Turns of 2 KB each, alternating, in the shape of the model SDK. */
function history(bytes) {
  const contents = Array.from({ length: bytes / 2048 }, (_, i) => ({
    role: i % 2 ? "model" : "user",
    parts: [{ text: `${i} `.padEnd(2048, "lorem ipsum ") }],
  }));
  return { model: "gemini-2.5-flash", contents };
}
