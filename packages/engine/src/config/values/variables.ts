import { sep } from "node:path";

type Texts = Readonly<Record<string, string>>;

/** The variables that tell a command where it runs; commands use them in script paths. */
export function placeVariables(projectRoot: string, workingDir: string): Record<string, string> {
  return {
    HOOKLINE_PROJECT_DIR: projectRoot,
    GEMINI_PROJECT_DIR: projectRoot,
    GEMINI_CWD: workingDir,
    CLAUDE_PROJECT_DIR: projectRoot,
  };
}

/** What the Gemini CLI fills in for the hooks of an extension. `/` cannot be a variable of a shell; the others are, too. */
export function extensionPlaces(extensionPath: string, workspacePath: string): Record<string, string> {
  return { extensionPath, workspacePath, pathSeparator: sep, "/": sep };
}

const EXTENSION_VARIABLE = /\$\{(extensionPath|workspacePath|pathSeparator|\/)\}/g;

const SEPARATOR = /\$\{\/\}/g;

interface Filled {
  readonly variables?: Texts;
}

/** Fills in the places of the declaring extension, in a text that no shell reads. */
export function withExtensionPlaces(text: string, { variables = {} }: Filled): string {
  if (variables.extensionPath === undefined) return text;
  return text.replaceAll(EXTENSION_VARIABLE, (written, name: string) => variables[name] ?? written);
}

/** Fills in only the separator: the other places may hold what a shell would read. */
export function withSeparators(command: string, { variables = {} }: Filled): string {
  return command.replaceAll(SEPARATOR, (written) => variables["/"] ?? written);
}

/** The variables of an extension's hook. They also contain its places, for nested shells. */
export function extensionVariables(env: Texts, filled: Filled): Texts {
  const { extensionPath, workspacePath = "", pathSeparator = sep } = filled.variables ?? {};
  if (extensionPath === undefined) return env;
  const values = Object.entries(env).map(([name, text]) => [name, withExtensionPlaces(text, filled)]);
  return { extensionPath, workspacePath, pathSeparator, ...Object.fromEntries(values) };
}

export const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The default value has a length limit: a project chooses the text, and many unterminated ones would take quadratic time. */
const SETTINGS_VARIABLE = /\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]{0,1000}))?\})/g;

/** Expands `$NAME`, `${NAME}` and `${NAME:-default}` like the Gemini CLI does in its settings; unset variables stay as written. */
export function expandVariables(texts: Texts, variables: Readonly<Record<string, string | undefined>>): Texts {
  const fill = (written: string, bare?: string, braced?: string, otherwise?: string) =>
    variables[bare ?? braced ?? ""] ?? otherwise ?? written;
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, text.replaceAll(SETTINGS_VARIABLE, fill)]),
  );
}

/** The names that `expandVariables` looks up. */
export function expandedNames(texts: Texts): readonly string[] {
  const found = Object.values(texts).flatMap((text) => [...text.matchAll(SETTINGS_VARIABLE)]);
  return [...new Set(found.flatMap(([, bare, braced]) => bare ?? braced ?? []))];
}

/** The variables that the texts use as `${NAME}`, without repeats. */
export function variablesIn(texts: Texts): readonly string[] {
  const found = Object.values(texts).flatMap((text) => [...text.matchAll(VARIABLE)]);
  return [...new Set(found.flatMap(([, name]) => name ?? []))];
}

/** Expands variables; throws if one has no value. `whose` begins the error message. */
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
