export const LANGUAGES = ["sh", "python", "node"] as const;
export type Language = (typeof LANGUAGES)[number];

interface LanguageSpec {
  readonly extension: string;
  readonly shebang: string;
  /** What begins a line of comment. */
  readonly comment: string;
  /** How a script is started from the project root. An interpreter is named, so that `validate` can say that it is missing. */
  readonly command: (path: string) => string;
}

export const LANGUAGE_SPECS: Readonly<Record<Language, LanguageSpec>> = {
  sh: { extension: "sh", shebang: "#!/bin/sh", comment: "#", command: (path) => `./${path}` },
  python: {
    extension: "py",
    shebang: "#!/usr/bin/env python3",
    comment: "#",
    // -I: a module beside the script cannot replace one of the library.
    command: (path) => `python3 -I ${path}`,
  },
  // As .mjs it is a module, whatever the package.json around it says.
  node: { extension: "mjs", shebang: "#!/usr/bin/env node", comment: "//", command: (path) => `node ${path}` },
};
