import { statSync } from "node:fs";
import { foldPath } from "@hookline/engine/program";

/** Folders whose files other programs run on their own: at `cd`, on commit, on opening the folder, in CI, at install and build. */
const FOLDERS: readonly string[] = [
  ".bundle",
  ".buildkite",
  ".cargo",
  ".circleci",
  ".devcontainer",
  ".fleet",
  ".git",
  ".gitea",
  ".githooks",
  ".github/actions",
  ".github/workflows",
  ".gitlab",
  ".husky",
  ".idea",
  ".lefthook",
  ".mvn",
  ".ssh",
  ".teamcity",
  ".venv",
  ".vscode",
  ".yarn",
  "gradle/wrapper",
  "node_modules",
  "venv",
];

const NAMES: readonly string[] = [
  ".bash_login",
  ".bash_logout",
  ".bash_profile",
  ".bashrc",
  ".bazelrc",
  ".devcontainer.json",
  ".dir-locals.el",
  ".drone.yml",
  ".emacs",
  ".envrc",
  ".exrc",
  ".gitattributes",
  ".gitconfig",
  ".gitlab-ci.yml",
  ".gitmodules",
  ".lintstagedrc",
  ".lintstagedrc.json",
  ".mcp.json",
  ".mise.toml",
  ".npmrc",
  ".nvim.lua",
  ".nvimrc",
  ".pnp.cjs",
  ".pnpmfile.cjs",
  ".pre-commit-config.yaml",
  ".profile",
  ".travis.yml",
  ".vimrc",
  ".woodpecker.yml",
  ".yarnrc",
  ".yarnrc.yml",
  ".zprofile",
  ".zshenv",
  ".zshrc",
  "appveyor.yml",
  "azure-pipelines.yml",
  "bitbucket-pipelines.yml",
  "build.gradle",
  "build.gradle.kts",
  "build.rs",
  "cloudbuild.yaml",
  "compose.yaml",
  "compose.yml",
  "containerfile",
  "docker-compose.yaml",
  "docker-compose.yml",
  "dockerfile",
  "gemfile",
  "gnumakefile",
  "jenkinsfile",
  "justfile",
  "lefthook.toml",
  "lefthook.yaml",
  "lefthook.yml",
  "makefile",
  "mise.toml",
  "package.json",
  "pnpm-workspace.yaml",
  "pyproject.toml",
  "rakefile",
  "settings.gradle",
  "settings.gradle.kts",
  "setup.cfg",
  "setup.py",
  "sitecustomize.py",
  "taskfile.yaml",
  "taskfile.yml",
  "usercustomize.py",
  "vagrantfile",
];

const SUFFIXES: readonly string[] = [
  ".bat",
  ".cmd",
  ".code-workspace",
  ".command",
  ".desktop",
  ".mk",
  ".ps1",
  ".pth",
  ".service",
  ".vbs",
];

/**
 * Whether another program executes this file, so that an edit counts as more than an edit. Expects an absolute path with links
 * resolved; ignores case, like some file systems.
 */
export function isExecutedElsewhere(path: string, projectRoot: string): boolean {
  const isInside = path.startsWith(`${projectRoot}/`);
  const folded = `/${foldPath(isInside ? path.slice(projectRoot.length + 1) : path)}`;
  const name = folded.slice(folded.lastIndexOf("/") + 1);
  return (
    NAMES.includes(name) ||
    SUFFIXES.some((suffix) => name.endsWith(suffix)) ||
    FOLDERS.some((folder) => folded.includes(`/${folder}/`)) ||
    isExecutable(path)
  );
}

function isExecutable(path: string): boolean {
  try {
    return (statSync(path).mode & 0o111) !== 0;
  } catch {
    return false; // new files are not executable
  }
}
