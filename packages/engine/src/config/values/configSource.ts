export const ConfigSource = {
  Runtime: "runtime",
  Project: "project",
  User: "user",
  System: "system",
  Extensions: "extensions",
} as const;
export type ConfigSource = (typeof ConfigSource)[keyof typeof ConfigSource];

/** The order in which sources run and merge. */
export const RUNNING_ORDER: readonly ConfigSource[] = ["runtime", "project", "user", "system", "extensions"];

/** Precedence: a switch acts on its own level and below, never above. */
export const TRUST_LEVEL: Readonly<Record<ConfigSource, number>> = {
  runtime: 5,
  system: 4,
  user: 3,
  project: 2,
  extensions: 1,
};

/** Which program the file belongs to: a switch in a `.gemini` file acts on hooks from `.gemini` files only. */
export type FileFamily = "hookline" | "gemini";
