/** Programs whose arguments name code in one of their own files, or in an image. */
const RUNNERS = `
  npm npx pnpm pnpx yarn bun bunx deno nx turbo lerna gulp grunt
  make gmake ninja cmake just task mage bazel gradle gradlew mvn mvnw ant sbt lein
  rake bundle rails composer mix cargo go swift dotnet
  poetry uv uvx pipx pipenv pdm hatch rye tox nox invoke inv fab
  docker docker-compose podman podman-compose nerdctl
  mise asdf direnv devbox nix nix-shell lefthook pre-commit husky
`;
const RUNNING = new RegExp(`(?:^|[\\s;&|(/'"\`])((?:${alternatives(RUNNERS)})(?:[ \\t]+[^\\s;&|<>()]+)+)`, "g");

/** Any other word after `git` is an alias from its configuration, or a program of that name. */
const GIT_COMMANDS = new Set(
  words(`
    add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format
    checkout checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree config count-objects credential
    describe diff diff-files diff-index diff-tree difftool fast-export fast-import fetch fetch-pack fmt-merge-msg for-each-ref
    for-each-repo format-patch fsck gc get-tar-commit-id grep hash-object help hook index-pack init init-db interpret-trailers log
    ls-files ls-remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index merge-tree mergetool mktag mktree
    multi-pack-index mv name-rev notes pack-objects pack-refs patch-id prune pull push range-diff read-tree rebase reflog remote repack
    replace request-pull rerere reset restore rev-list rev-parse revert rm send-pack shortlog show show-branch show-index show-ref
    sparse-checkout stage stash status stripspace submodule switch symbolic-ref tag unpack-file unpack-objects update-index update-ref
    var verify-commit verify-pack verify-tag version whatchanged worktree write-tree
  `),
);
const GIT = /(?:^|[\s;&|(/'"`])(git(?:[ \t]+[^\s;&|<>()]+)+)/g;
const TAKES_VALUE = /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env)$/;

/** Finds commands that run code which none of their words names. Errs on the side of one too many. */
export function taskRunners(text: string): readonly string[] {
  const aliases = found(text, GIT).filter((command) => !GIT_COMMANDS.has(subcommandOf(command)));
  return [...found(text, RUNNING), ...aliases];
}

function subcommandOf(command: string): string {
  const [, ...rest] = words(command);
  const at = rest.findIndex((word, index) => !word.startsWith("-") && !TAKES_VALUE.test(rest[index - 1] ?? ""));
  return at < 0 ? "version" : (rest[at] ?? "").replaceAll(/['"]/g, "");
}

function found(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].flatMap(([, command]) => command ?? []);
}

function words(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

function alternatives(names: string): string {
  // Longest first, otherwise `docker` would match the start of `docker-compose`.
  return words(names)
    .toSorted((one, other) => other.length - one.length)
    .join("|");
}
