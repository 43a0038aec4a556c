import { delimiter, dirname, join } from "node:path";
import { run } from "./process.mjs";

const NEXT = "Read what npm says above; without a network, nothing can be installed.";
/** They describe the script that npm runs us as. */
const OF_THIS_SCRIPT = /^npm_(package|lifecycle|command|config_local_prefix)/;

/** `npm(folder, ...args)` resolves to what npm prints; `npm.shown(...args)` leaves the terminal to it. */
export function npmOn(nodeDir, signal) {
  const inherited = Object.entries(process.env).filter(([name]) => !OF_THIS_SCRIPT.test(name));
  const PATH = `${nodeDir}${delimiter}${process.env.PATH ?? ""}`;
  const env = { ...Object.fromEntries(inherited), PATH };
  // The npm that runs us, with that Node; by hand, the one on the path.
  const script = process.env.npm_execpath;
  const [command, ...first] = script === undefined ? ["npm"] : [join(nodeDir, "node"), script];
  const npm = (cwd, ...args) => run(command, [...first, ...args], { cwd, env, signal, next: NEXT });
  npm.shown = (...args) =>
    run(command, [...first, ...args], { cwd: process.cwd(), env, signal, next: NEXT, show: true });
  return npm;
}

export function npmOfThisNode(signal) {
  return npmOn(dirname(process.execPath), signal);
}
