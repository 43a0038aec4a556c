declare const known: unique symbol;

/** The type of a field that no answer has, so that the compiler's message names the right spelling. */
export interface MisspellingOf<Field extends string> {
  readonly [known]: Field;
}

/**
 * Plausible misspellings of these fields, none of which may be set. TypeScript does not look for unknown fields in what a function
 * returns; an index signature that refuses them would also refuse every interface and class.
 */
export type NoMisspellings<Fields extends string> = {
  readonly [Name in Fields as Exclude<Misspelt<Name>, Fields>]?: MisspellingOf<Name>;
};

type Misspelt<Name extends string> =
  | Missing<Name>
  | Swapped<Name>
  | Turned<Name>
  | Doubled<Name>
  | Replaced<Name>
  | `${Name}s`
  | Lowercase<Name>
  | Capitalize<Name>
  | Snake<Name>
  | Camel<Name>;

type Missing<Rest extends string, Before extends string = ""> = Rest extends `${infer Letter}${infer After}`
  ? `${Before}${After}` | Missing<After, `${Before}${Letter}`>
  : never;

type Swapped<Rest extends string, Before extends string = ""> = Rest extends `${infer A}${infer B}${infer After}`
  ? `${Before}${B}${A}${After}` | Swapped<`${B}${After}`, `${Before}${A}`>
  : never;

/** `desicion`. */
type Turned<
  Rest extends string,
  Before extends string = "",
> = Rest extends `${infer A}${infer B}${infer C}${infer After}`
  ? `${Before}${C}${B}${A}${After}` | Turned<`${B}${C}${After}`, `${Before}${A}`>
  : never;

type Doubled<Rest extends string, Before extends string = ""> = Rest extends `${infer Letter}${infer After}`
  ? `${Before}${Letter}${Letter}${After}` | Doubled<After, `${Before}${Letter}`>
  : never;

/** Letters that sound alike. */
interface Alike {
  readonly a: "e";
  readonly c: "s" | "sc";
  readonly e: "a" | "i";
  readonly i: "e" | "y";
  readonly o: "u";
  readonly s: "c" | "sc" | "z";
  readonly y: "i";
}

type Replaced<Rest extends string, Before extends string = ""> = Rest extends `${infer Letter}${infer After}`
  ? (Letter extends keyof Alike ? `${Before}${Alike[Letter]}${After}` : never) | Replaced<After, `${Before}${Letter}`>
  : never;

/** `stop_reason` for `stopReason`. */
type Snake<Rest extends string, Before extends string = ""> = Rest extends `${infer Letter}${infer After}`
  ? Snake<After, `${Before}${Letter extends Lowercase<Letter> ? "" : "_"}${Lowercase<Letter>}`>
  : Before;

/** `hookSignals` for `hook_signals`. */
type Camel<Name extends string> = Name extends `${infer Word}_${infer After}`
  ? `${Word}${Capitalize<Camel<After>>}`
  : Name;
