/** Limits of what is copied. */
export interface Bounds {
  readonly maxFiles: number;
  readonly maxBytes: number;
  /** Size of a `.git` folder; a larger one is left out. */
  readonly maxGitBytes: number;
  /**
   * Files in a git-ignored folder that hooks start programs from; of a larger folder, only those programs are copied.
   */
  readonly maxBuiltFiles: number;
  readonly maxBuiltBytes: number;
  /**
   * Files in all installed packages together; above this, packages are linked. Copying 2,000 files takes about half a
   * second, and so does removing them.
   */
  readonly maxPackageFiles: number;
  readonly maxPackageBytes: number;
}

const MEBIBYTE = 1024 ** 2;

export const BOUNDS: Bounds = {
  maxFiles: 50_000,
  maxBytes: 1024 * MEBIBYTE,
  maxGitBytes: 50 * MEBIBYTE,
  maxBuiltFiles: 2_000,
  maxBuiltBytes: 50 * MEBIBYTE,
  maxPackageFiles: 2_000,
  maxPackageBytes: 50 * MEBIBYTE,
};

export function boundsText({ maxFiles, maxBytes }: Bounds): string {
  return `${maxFiles} files with ${sizeText(maxBytes)}`;
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < MEBIBYTE) return `${rounded(bytes / 1024)} KiB`;
  return bytes < 1024 * MEBIBYTE ? `${rounded(bytes / MEBIBYTE)} MiB` : `${rounded(bytes / MEBIBYTE / 1024)} GiB`;
}

const rounded = (size: number) => Math.round(size * 10) / 10;
