import type { Declaration } from "../hooks/hookDeclaration.ts";
import { readRegularFile } from "./regularFile.ts";

export interface FileChange {
  readonly file: string;
  /** Undefined if no text was kept: missing, too large, or not text. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const MOST_BYTES = 256 * 1024;

/** The content of files when they were admitted, so that a person can be shown the changes. */
export class FileTexts {
  readonly #texts = new Map<string, string | undefined>();

  keep({ target }: Declaration): void {
    for (const file of target?.files ?? []) this.#texts.set(file, textOf(file));
  }

  changesIn(all: readonly Declaration[]): readonly FileChange[] {
    const files = new Set(all.flatMap(({ target }) => target?.files ?? []));
    return [...files].flatMap((file) => {
      if (!this.#texts.has(file)) return [];
      const [before, after] = [this.#texts.get(file), textOf(file)];
      return before === after ? [] : [{ file, before, after }];
    });
  }
}

function textOf(file: string): string | undefined {
  try {
    const text = readRegularFile(file, MOST_BYTES);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
