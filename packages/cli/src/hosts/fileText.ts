import { isUtf8 } from "node:buffer";
import { HooklineError } from "@hookline/engine";

const BOM = "\ufeff";

/** The text of a host's file, and the mark that some editors put before it. */
export interface FileText {
  readonly mark: string;
  readonly text: string;
}

export function textOf(bytes: Buffer | undefined, file: string): FileText {
  if (bytes === undefined) return { mark: "", text: "" };
  if (!isUtf8(bytes)) {
    throw new HooklineError({
      code: "CONFIG_SYNTAX",
      where: { file },
      what: "The file cannot be changed: it is not UTF-8.",
    });
  }
  const text = bytes.toString("utf8");
  return text.startsWith(BOM) ? { mark: BOM, text: text.slice(BOM.length) } : { mark: "", text };
}

export function bytesOf({ mark, text }: FileText): Buffer {
  return Buffer.from(mark + text);
}
