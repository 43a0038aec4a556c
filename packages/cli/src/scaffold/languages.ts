export const LANGUAGES = ["sh", "python", "node"] as const;
export type Language = (typeof LANGUAGES)[number];

interface LanguageSpec {
  readonly extension: string;
  readonly shebang: string;
  /** Begins a comment. */
  readonly comment: string;
  /** The command that starts a script from the project root. It names the interpreter, so that `validate` can report it missing. */
  readonly command: (path: string) => string;
}

export const LANGUAGE_SPECS: Readonly<Record<Language, LanguageSpec>> = {
  sh: { extension: "sh", shebang: "#!/bin/sh", comment: "#", command: (path) => `./${path}` },
  python: {
    extension: "py",
    shebang: "#!/usr/bin/env python3",
    comment: "#",
    // -I: a module beside the script cannot replace one of the standard library.
    command: (path) => `python3 -I ${path}`,
  },
  // .mjs is a module regardless of the package.json above it.
  node: { extension: "mjs", shebang: "#!/usr/bin/env node", comment: "//", command: (path) => `node ${path}` },
};
