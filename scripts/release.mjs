// `npm run release`: checks, packs, tries out and publishes every package. `-- --dry-run` does all but the last.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { changelogFaults, versionFaults } from "./release/checks.mjs";
import { ReleaseFault } from "./release/fault.mjs";
import { NODES, nodeFolder, tryOut } from "./release/install.mjs";
import { npmOfThisNode, npmOn } from "./release/npm.mjs";
import { run } from "./release/process.mjs";
import { assertMayPublish, publish } from "./release/publish.mjs";
import { missingNative, packInto, tarballFaults, unpack } from "./release/tarballs.mjs";
import { inDependencyOrder, readJson, workspacesOf } from "./release/workspaces.mjs";

const USAGE = `Usage: npm run release [-- --dry-run]

  --dry-run  build, check, pack, install and try everything; publish nothing
`;
const root = fileURLToPath(new URL("..", import.meta.url));
const interrupted = new AbortController();
const { signal } = interrupted;
const npm = npmOfThisNode(signal);
const say = (line) => process.stdout.write(`${line}\n`);

process.exitCode = await main(process.argv.slice(2));

async function main(args) {
  if (args.some((arg) => arg !== "--dry-run")) {
    process.stderr.write(USAGE);
    return 2;
  }
  for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => interrupted.abort());
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), "hookline-release-")));
  try {
    await release({ isDryRun: args.length > 0, temporary });
    return 0;
  } catch (error) {
    if (signal.aborted) return 130;
    if (!(error instanceof ReleaseFault)) throw error;
    process.stderr.write(`✗ ${error.message}\n  ${error.next}\n`);
    return 1;
  } finally {
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function release({ isDryRun, temporary }) {
  const packages = inDependencyOrder(workspacesOf(root));
  const { version } = packages[0].manifest;
  say(`Release ${version} of ${packages.map(({ manifest }) => manifest.name).join(", ")}`);
  if (!isDryRun) await assertMayPublish({ tag: `v${version}`, root, signal });

  say("Check that everything is committed.");
  const changes = await run("git", ["status", "--porcelain"], { cwd: root, signal });
  if (changes !== "" && !isDryRun)
    throw new ReleaseFault(`Not committed:\n${changes.trimEnd()}`, "Commit or stash it.");
  if (changes !== "") say("  ! There are changes that are not committed; a release would stop here.");

  say("Build.");
  await npm(root, "run", "build");
  say("Build the native programs for every platform.");
  await run(process.execPath, [join(root, "scripts/release/native.mjs")], { cwd: root, signal });

  say("Check versions.");
  refuse(
    versionFaults(packages, readJson(join(root, "package-lock.json"))),
    "Write one version everywhere, then `npm install`.",
  );
  await checkPrograms(packages, version);

  say("Check CHANGELOG.md.");
  refuse(
    changelogFaults(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version),
    "Write what a user can notice, breaks first.",
  );

  say("Pack, and look into the tarballs.");
  const packed = await packInto(temporary, { npm, folder: root, options: ["--workspaces"] });
  const tarballs = packages.map(({ manifest: { name } }) => ({ name, ...packed.get(name) }));
  for (const [index, tarball] of tarballs.entries()) await checkTarball(tarball, join(temporary, `unpacked-${index}`));

  for (const node of NODES) {
    say(`Install into an empty project, and run the demo, on Node ${node}.`);
    const nodeDir = await nodeFolder(node, { npm, into: temporary });
    const folder = join(temporary, `project-${node}`);
    const files = tarballs.map(({ file }) => file);
    const used = await tryOut({ nodeDir, folder, tarballs: files, packages, npm: npmOn(nodeDir, signal), signal });
    say(`  It works on ${used}.`);
  }

  if (isDryRun) return say(`Everything is ready. \`npm run release\` publishes ${version}.`);
  await publish({ tarballs, version, npm, signal, say });
  say(`Published. Now: git tag v${version} && git push origin v${version}`);
}

/** What the programs of the packages say, as they were built. */
async function checkPrograms(packages, version) {
  const programs = packages.flatMap(({ folder, manifest: { bin = {} } }) =>
    Object.values(bin).map((file) => join(folder, file)),
  );
  for (const program of programs) {
    const said = (await run(process.execPath, [program, "--version"], { cwd: root, signal })).trim();
    refuse(said === version ? [] : [`${program} says ${said}, not ${version}.`], "Look where it reads its version.");
  }
}

async function checkTarball({ name, file, files }, into) {
  const folder = await unpack(file, into, signal);
  const manifest = readJson(join(folder, "package.json"));
  const paths = [root.replace(/\/$/, ""), join(homedir(), "/")];
  const licence = readFileSync(join(root, "LICENSE"), "utf8");
  const faults = [...tarballFaults({ folder, files, manifest, paths, licence }), ...missingNative({ files, manifest })];
  refuse(
    faults.map((fault) => `${name}: ${fault}`),
    "Correct `files` of its package.json, or the build in scripts/bundle.mjs.",
  );
}

function refuse(faults, next) {
  if (faults.length > 0) throw new ReleaseFault(faults.join("\n  "), next);
}
