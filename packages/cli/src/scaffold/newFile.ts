/** A file to be written. */
export interface NewFile {
  /** From the project root, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly executable?: true;
  /** Left alone where there is one already: it is no part of what was asked for. */
  readonly shared?: true;
}
