import { existsSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { makeStoreFile } from "../../store/storeFile.ts";
import { error, type Finding, type Trouble, warning } from "../finding.ts";
import { type Listed, listedByGit } from "./listedByGit.ts";
import { folderOf, type Store } from "./store.ts";

/** Files of stores that git has, or would take at the next `git add`. Nothing where there is no git, or no repository. */
export async function inGit(
  projectRoot: string,
  stores: readonly Store[],
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const store of stores.filter((one) => existsSync(folderOf(one)))) {
    // All that begins with its name: what SQLite keeps beside it, and what was put aside, has the same things in it.
    const look = () => listedByGit(projectRoot, `${relative(projectRoot, store.path)}*`, signal);
    const listed = await look();
    findings.push(...notIgnored(projectRoot, store, { listed, look }), ...committed(projectRoot, store, listed));
  }
  return findings;
}

interface Looked {
  readonly listed: Listed;
  /** Again, after something was changed. */
  readonly look: () => Promise<Listed>;
}

function notIgnored(projectRoot: string, { name, path, spec }: Store, { listed, look }: Looked): readonly Trouble[] {
  const [first] = listed.others;
  if (first === undefined) return [];
  const shown = first === relative(projectRoot, path) ? "it" : basename(first);
  const fix = async () => {
    if (spec) makeStoreFile(projectRoot, spec);
    const [still] = (await look()).others;
    if (still !== undefined) throw new Error(`a line in a .gitignore, or a link of that name, keeps ${still} in sight`);
    return `${basename(path)}* was added to .hookline/.gitignore`;
  };
  const next = `\`hookline doctor --fix\`, or write ${basename(path)}* into .hookline/.gitignore.`;
  const what = `git does not ignore ${name}: ${shown} would be committed.`;
  return [warning({ what, file: join(projectRoot, first), next, fix })];
}

function committed(projectRoot: string, { name, path }: Store, { known }: Listed): readonly Trouble[] {
  const [first] = known;
  if (first === undefined) return [];
  const what = `${first === relative(projectRoot, path) ? name : `${basename(first)} of ${name}`} is in the git repository.`;
  const next = `Take it out with \`git rm --cached ${known.join(" ")}\`; who has the repository has what is in it.`;
  return [error({ what, file: join(projectRoot, first), next })];
}
