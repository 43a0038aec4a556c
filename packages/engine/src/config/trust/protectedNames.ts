import { foldPath } from "./foldedPath.ts";

interface ProtectedNames {
  readonly why: string;
  /** Folders or files, at any depth. Lower case. */
  readonly names: readonly string[];
}

/** Names of files that decide what runs in later sessions, for whichever program reads them. */
const PROTECTED_NAMES: readonly ProtectedNames[] = [
  { why: "decides what hooks do", names: [".hookline", ".gemini", ".system"] },
  { why: "can make git run programs", names: [".git"] },
  {
    why: "decides what other agents and their tools may do",
    names: [
      ".agents",
      ".aider.conf.yml",
      ".amazonq",
      ".claude",
      ".claude.json",
      ".cline",
      ".clinerules",
      ".codeium",
      ".codex",
      ".continue",
      ".copilot",
      ".crush.json",
      ".cursor",
      ".factory",
      ".github/copilot",
      ".github/hooks",
      ".goose",
      ".idea/mcp.json",
      ".junie",
      ".kilocode",
      ".kiro",
      ".mcp.json",
      ".opencode",
      ".qwen",
      ".roo",
      ".vscode/mcp.json",
      ".windsurf",
      ".zed",
      "crush.json",
      "opencode.json",
      "opencode.jsonc",
    ],
  },
];

/** Why a path is protected by its name alone: below the project root, or an absolute path outside of it. */
export function protectedByName(path: string): string | undefined {
  const folded = `/${foldPath(path)}/`;
  return PROTECTED_NAMES.find(({ names }) => names.some((name) => folded.includes(`/${name}/`)))?.why;
}
