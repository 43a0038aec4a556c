import type { CacheFile } from "./cacheFile.ts";

/** A script of the program at one time. */
export interface ScriptFacts {
  readonly file: string;
  readonly size: number;
  readonly mtimeMs: number;
}

export interface CompiledScript extends ScriptFacts {
  readonly data: Buffer;
}

export interface CacheContents {
  /** The modules whose code is in the scripts. */
  readonly modules: readonly string[];
  readonly scripts: readonly CompiledScript[];
}

interface Header extends Pick<CacheContents, "modules"> {
  /** Of the folder that the file was written to. */
  readonly mark: string;
  readonly scripts: readonly (ScriptFacts & { readonly bytes: number })[];
}

/** V8 reads data in place only where it begins at a multiple of this. */
const ALIGNMENT = 8;

/** Twice the same: the length of the header, the header as JSON, and the data of each script. */
export function packFile({ modules, scripts }: CacheContents, mark: string): Buffer {
  const facts = scripts.map(({ data, ...rest }) => ({ ...rest, bytes: data.length }));
  const header: Header = { mark, modules, scripts: facts };
  const [head = Buffer.alloc(0), ...data] = [JSON.stringify(header), ...scripts.map((script) => script.data)].map(
    padded,
  );
  const length = Buffer.alloc(ALIGNMENT);
  length.writeUInt32LE(head.length);
  const contents = [length, head, ...data];
  return Buffer.concat([...contents, ...contents]);
}

/**
 * Undefined where the file is damaged or was made for another folder: V8 looks for neither, and would crash or run other code. Damage shows as a
 * difference between the halves, since to compare them takes a hundredth of the time that a checksum takes before it is compiled.
 */
export function unpackFile({ bytes: file, mark }: CacheFile): CacheContents | undefined {
  const half = file.subarray(0, file.length / 2);
  if (half.length < ALIGNMENT || !half.equals(file.subarray(half.length))) return undefined;
  let start = ALIGNMENT + half.readUInt32LE();
  const header = readHeader(half.toString("utf8", ALIGNMENT, start));
  if (header?.mark !== mark) return undefined;
  const scripts = header.scripts.map(({ bytes, ...facts }) => {
    const data = half.subarray(start, start + bytes);
    start += aligned(bytes);
    return { ...facts, data };
  });
  return { modules: header.modules, scripts };
}

/** Undefined where a crash of the machine left a file of zeros: its halves are the same. */
function readHeader(text: string): Header | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

function padded(part: string | Buffer): Buffer {
  const bytes = Buffer.from(part);
  return Buffer.concat([bytes, Buffer.alloc(aligned(bytes.length) - bytes.length, " ")]);
}

function aligned(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}
