import { type Problem, TrustStore } from "@hookline/engine/program";

interface UnreadFiles {
  /** A problem for each file that cannot be read. */
  readonly unread: readonly Pick<Problem, "where">[];
  /** Of the project. */
  readonly root: string;
  readonly homeDir: string;
}

/** Unreadable files of a project that no person ever trusted are reported, and switch no guard off: hooks run without them. */
export function mayStartWithout({ unread, root, homeDir }: UnreadFiles): boolean {
  const areOwn = unread.every(({ where }) => where.file.startsWith(`${root}/`));
  return areOwn && Object.keys(new TrustStore(homeDir).read(root).hooks).length === 0;
}
