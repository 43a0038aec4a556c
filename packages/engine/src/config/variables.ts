type Texts = Readonly<Record<string, string>>;

/** The variables that tell a command where it works; commands name their scripts by them. */
export function placeVariables(projectRoot: string, workingDir: string): Record<string, string> {
  return {
    HOOKLINE_PROJECT_DIR: projectRoot,
    GEMINI_PROJECT_DIR: projectRoot,
    GEMINI_CWD: workingDir,
    CLAUDE_PROJECT_DIR: projectRoot,
  };
}

export const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The variables that the texts use, as `${NAME}`, each once. */
export function variablesIn(texts: Texts): readonly string[] {
  const found = Object.values(texts).flatMap((text) => [...text.matchAll(VARIABLE)]);
  return [...new Set(found.flatMap(([, name]) => name ?? []))];
}

/** Puts the variables in; throws rather than to hand on a text without the value it is there for. `whose`: of the complaint. */
export function fillVariables(
  texts: Texts,
  variable: (name: string) => string | undefined,
  whose = "it uses",
): Record<string, string> {
  const fill = (_: string, name: string) => {
    const value = variable(name);
    if (value === undefined || value === "") throw new Error(`${whose} \${${name}}, which is not set`);
    return value;
  };
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, text.replaceAll(VARIABLE, fill)]));
}
