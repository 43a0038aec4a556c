import type { CacheFile } from "./cacheFile.ts";

/** A script of the program at one time. */
export interface ScriptFacts {
  readonly file: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** What V8 compiled of a script when a command ran before. */
export interface CompiledScript extends ScriptFacts {
  /** The modules of the script that ran. */
  readonly modules: readonly string[];
  readonly data: Buffer;
}

interface Header extends Omit<CompiledScript, "data"> {
  /** Of the folder that the file was written to. */
  readonly mark: string;
  readonly bytes: number;
}

/** V8 reads data in place only where it begins at a multiple of this. */
const ALIGNMENT = 8;

/** The length of the header, the header as JSON, and the data. */
export function packScript({ data, ...facts }: CompiledScript, mark: string): Buffer {
  const header: Header = { mark, ...facts, bytes: data.length };
  const head = padded(JSON.stringify(header));
  const length = Buffer.alloc(ALIGNMENT);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, data]);
}

/** Undefined where the file was made for another folder: V8 does not look, and would run other code. */
export function unpackScript({ contents, mark }: CacheFile): CompiledScript | undefined {
  if (contents.length < ALIGNMENT) return undefined;
  const start = ALIGNMENT + contents.readUInt32LE();
  const header = readHeader(contents.toString("utf8", ALIGNMENT, start));
  if (header?.mark !== mark) return undefined;
  const { mark: _, bytes, ...facts } = header;
  return { ...facts, data: contents.subarray(start, start + bytes) };
}

/** Undefined where a crash of the machine left a file of zeros: its halves are the same. */
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
