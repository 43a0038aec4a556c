import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Ended } from "../support/machine.ts";
import { LocalRegistry } from "./localRegistry.ts";

export const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));

/** A program that hangs is killed, so that the test can say which one. */
const LONGEST_MS = 500_000;

export interface Tarball {
  readonly file: string;
  /** The paths of its files. */
  readonly files: readonly string[];
}

/** A module of scripts/release, whose functions the caller describes. */
export function releaseScript<Script>(name: string): Promise<Script> {
  return import(`${ROOT}scripts/release/${name}.mjs`);
}

interface Packing {
  packInto(
    destination: string,
    how: {
      readonly npm: (cwd: string, ...args: readonly string[]) => Promise<string>;
      readonly folder: string;
      readonly options: readonly string[];
    },
  ): Promise<ReadonlyMap<string, Tarball>>;
}

/** A folder for projects, a home folder, and an npm that knows only packages of this checkout. */
export class NpmSandbox {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), "hookline-install-")));
  readonly #registry = new LocalRegistry([
    join(ROOT, "node_modules"),
    join(ROOT, "packages/engine/node_modules"),
    join(ROOT, "packages/cli/node_modules"),
  ]);
  #address = "";

  static async open(): Promise<NpmSandbox> {
    const sandbox = new NpmSandbox();
    sandbox.#address = await sandbox.#registry.listen();
    sandbox.folder("home");
    return sandbox;
  }

  async close(): Promise<void> {
    this.#registry.close();
    await rm(this.dir, { recursive: true, force: true });
  }

  folder(name: string, files: Readonly<Record<string, string>> = {}): string {
    const folder = join(this.dir, name);
    mkdirSync(folder, { recursive: true });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return folder;
  }

  /** Runs `npm pack` in a folder, as a release does. Returns the tarballs by the names of the packages. */
  async pack(folder: string, into: string, ...options: readonly string[]): Promise<ReadonlyMap<string, Tarball>> {
    const { packInto } = await releaseScript<Packing>("tarballs");
    const npm = (cwd: string, ...args: readonly string[]) => this.npm(cwd, ...args);
    return packInto(this.folder(into), { npm, folder, options });
  }

  /** What npm prints; throws if it fails. */
  async npm(cwd: string, ...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.start(cwd, "npm", ...args);
    if (code !== 0) throw new Error(`npm ${args.join(" ")} ended with ${code}: ${stderr}`);
    return stdout;
  }

  /** Only these variables: settings of the person, and of the npm that runs the tests, would change what is installed. */
  start(cwd: string, command: string, ...args: readonly string[]): Promise<Ended> {
    const env = {
      PATH: process.env.PATH ?? "",
      HOME: join(this.dir, "home"),
      npm_config_registry: this.#address,
      npm_config_cache: join(this.dir, "cache"),
      npm_config_globalconfig: join(this.dir, "home/no-global-npmrc"),
      npm_config_prefer_offline: "true",
      npm_config_update_notifier: "false",
      npm_config_audit: "false",
      npm_config_fund: "false",
    };
    return new Promise((resolve) => {
      const child = execFile(command, args, { cwd, env, timeout: LONGEST_MS }, (_, stdout, stderr) =>
        resolve({ code: child.exitCode, stdout, stderr }),
      );
    });
  }
}
