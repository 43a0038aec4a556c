import type { CacheFile } from "./cacheFile.ts";

/** Identifies a version of a script of the program. */
export interface ScriptFacts {
  readonly file: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** V8's compiled code of a script from earlier runs of a command. */
export interface CompiledScript extends ScriptFacts {
  /** The modules of the script that have run. */
  readonly modules: readonly string[];
  readonly data: Buffer;
}

interface Header extends Omit<CompiledScript, "data"> {
  /** The mark of the folder that the file was written to. */
  readonly mark: string;
  readonly bytes: number;
}

/** V8 reads data in place only at multiples of this offset. */
const ALIGNMENT = 8;

/** Layout: the length of the header, the header as JSON, the data. */
export function packScript({ data, ...facts }: CompiledScript, mark: string): Buffer {
  const header: Header = { mark, ...facts, bytes: data.length };
  const head = padded(JSON.stringify(header));
  const length = Buffer.alloc(ALIGNMENT);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, data]);
}

/** Undefined if the file was made for another folder: V8 does not check this and would run other code. */
export function unpackScript({ contents, mark }: CacheFile): CompiledScript | undefined {
  if (contents.length < ALIGNMENT) return undefined;
  const start = ALIGNMENT + contents.readUInt32LE();
  const header = readHeader(contents.toString("utf8", ALIGNMENT, start));
  if (header?.mark !== mark) return undefined;
  const { mark: _, bytes, ...facts } = header;
  return { ...facts, data: contents.subarray(start, start + bytes) };
}

/** Undefined if a crash of the machine left a file of zeros, whose halves are equal. */
function readHeader(text: string): Header | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

function padded(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & (ALIGNMENT - 1), " ")]);
}
