import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { basename, dirname, join } from "node:path";
import { z } from "zod";

const manifest = z.looseObject({ name: z.string(), version: z.string() });

interface Installed {
  readonly folder: string;
  readonly manifest: z.infer<typeof manifest>;
}

/**
 * An npm registry with the packages that `npm ci` has installed, each as a tarball of its folder: an install needs neither a network
 * nor npm's cache. Packages for other platforms are not there; npm skips those, since they are optional.
 */
export class LocalRegistry {
  readonly #packages: readonly Installed[];
  readonly #server = createServer(({ url = "" }, response) => this.#answer(decodeURIComponent(url), response));

  /** Takes the `node_modules` folders to serve. */
  constructor(folders: readonly string[]) {
    this.#packages = folders.flatMap(packagesIn);
  }

  /** Resolves to its address. */
  listen(): Promise<string> {
    return new Promise((resolve) => this.#server.listen(0, "127.0.0.1", () => resolve(this.#url())));
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #url(): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The registry is not listening.");
    return `http://127.0.0.1:${address.port}`;
  }

  #answer(path: string, response: ServerResponse): void {
    const [, name = "", version] = /^\/(.+?)(?:\/-\/(.+)\.tgz)?$/.exec(path) ?? [];
    const found = this.#packages.filter(({ manifest }) => manifest.name === name);
    const wanted = found.find((one) => one.manifest.version === version);
    if (wanted) sendTarball(wanted.folder, response);
    else if (version === undefined && found.length > 0) response.end(JSON.stringify(this.#describe(name, found)));
    else response.writeHead(404).end("{}");
  }

  #describe(name: string, found: readonly Installed[]): object {
    const versions = found.map(({ manifest }) => [
      manifest.version,
      { ...manifest, dist: { tarball: `${this.#url()}/${name}/-/${manifest.version}.tgz` } },
    ]);
    return { name, "dist-tags": { latest: found[0]?.manifest.version }, versions: Object.fromEntries(versions) };
  }
}

/** Not compressed: npm takes both. */
function sendTarball(folder: string, response: ServerResponse): void {
  const args = ["-cf", "-", "--exclude=node_modules", "-C", dirname(folder), basename(folder)];
  spawn("tar", args, { stdio: ["ignore", "pipe", "inherit"] }).stdout.pipe(response);
}

/** Links are left out: they lead to our own packages. */
function packagesIn(folder: string): Installed[] {
  if (!existsSync(folder)) return [];
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => {
    const path = join(folder, name);
    if (name.startsWith("@")) return packagesIn(path);
    const file = join(path, "package.json");
    if (name.startsWith(".") || !existsSync(file)) return [];
    const own = { folder: path, manifest: manifest.parse(JSON.parse(readFileSync(file, "utf8"))) };
    return [own, ...packagesIn(join(path, "node_modules"))];
  });
}
