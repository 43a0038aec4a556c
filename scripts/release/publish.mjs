import { createInterface } from "node:readline/promises";
import { ReleaseFault } from "./fault.mjs";
import { run } from "./process.mjs";

const AT_A_TERMINAL = "Run `npm run release` in a terminal, on the machine of a person who may publish.";

/** Before anything is built: what only a person can decide needs a person. */
export async function assertMayPublish({ tag, root, signal }) {
  if (process.env.CI) throw new ReleaseFault("A release is not published by CI.", AT_A_TERMINAL);
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new ReleaseFault("There is no terminal here.", AT_A_TERMINAL);
  const tags = await run("git", ["tag", "--list", tag], { cwd: root, signal });
  if (tags.trim() !== "")
    throw new ReleaseFault(`The tag ${tag} exists.`, "Raise the version, with a new section in CHANGELOG.md.");
}

/** Publishes each tarball after those that it needs; one that is there from an earlier attempt is passed over. */
export async function publish({ tarballs, version, npm, signal, say }) {
  const words = `publish ${version}`;
  const typed = await ask(`Type "${words}" to publish ${tarballs.length} packages: `, signal);
  if (typed.trim() !== words) throw new ReleaseFault("Nothing was published.", "Run it again, and type these words.");
  for (const { name, file } of tarballs) {
    if (await isPublished(`${name}@${version}`, npm)) say(`${name} ${version} is published already.`);
    else await npm.shown("publish", file, "--access", "public");
  }
}

async function isPublished(spec, npm) {
  try {
    return (await npm(process.cwd(), "view", spec, "version")).trim() !== "";
  } catch (error) {
    if (error instanceof ReleaseFault && error.message.includes("E404")) return false;
    throw error;
  }
}

/** Not in raw mode, so that Ctrl-C is a signal like any other. The end of the input is an empty answer. */
async function ask(question, signal) {
  const lines = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  const ended = new Promise((resolve) => lines.once("close", () => resolve("")));
  try {
    return await Promise.race([lines.question(question, { signal }), ended]);
  } finally {
    lines.close();
  }
}
