/** A file to write. */
export interface NewFile {
  /** From the project root, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly executable?: true;
  /** Kept if it already exists: it serves all declarations. */
  readonly shared?: true;
}
