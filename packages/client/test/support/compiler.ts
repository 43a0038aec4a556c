import { spawnSync } from "node:child_process";
import { ROOT } from "../../../../test/repository.ts";

interface ClientScript {
  readonly CLIENT: string;
  readonly FLAGS: readonly string[];
  findCompiler(names?: readonly string[]): string | undefined;
  compile(compiler: string, flags: readonly string[], output: string, sources?: readonly string[]): string | undefined;
}

export const script: ClientScript = await import(`${ROOT}scripts/client.mjs`);

const compiler = script.findCompiler();
const said = new Set<string>();

/** Whether the client can be built. Its absence is said once; under CI it is a failure. */
export const hasCompiler = isThere("a C compiler", compiler !== undefined);

/** The client as `npm run build` makes it, from the sources of now. */
export function builtClient(): string {
  const { HOOKLINE_TEST_CLIENT } = process.env; // another build of it, such as one with sanitizers
  if (HOOKLINE_TEST_CLIENT !== undefined) return HOOKLINE_TEST_CLIENT;
  const { status, stderr } = spawnSync(process.execPath, [`${ROOT}scripts/client.mjs`], { encoding: "utf8" });
  if (status !== 0 || stderr !== "") throw new Error(`The client was not built: ${stderr}`);
  return script.CLIENT;
}

/** Compiles it with other flags. */
export function compileClient(flags: readonly string[], output: string): void {
  const failure = script.compile(compiler ?? "", [...script.FLAGS, ...flags], output);
  if (failure !== undefined) throw new Error(failure);
}

/** Says once that something is missing; under CI it is a failure. */
export function isThere(what: string, found: boolean, { neededInCi = true } = {}): boolean {
  if (found) return true;
  if (neededInCi && process.env.CI === "true") throw new Error(`${what} is missing, and CI has to run these tests`);
  if (!said.has(what)) process.stderr.write(`NOTICE: ${what} is missing; the tests that need it are skipped.\n`);
  said.add(what);
  return false;
}

export const hasPython = isThere("python3", spawnSync("python3", ["--version"]).status === 0);
