export const MAX_MEDIA_BYTES = 8 * 1024 * 1024;

/** Detects types by content, not by name, so that a model gets real images only. */
const SIGNATURES: readonly (readonly [mimeType: string, signature: string, at: number])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n", 0],
  ["image/jpeg", "\xff\xd8\xff", 0],
  ["image/gif", "GIF8", 0],
  ["image/webp", "WEBP", 8],
  ["application/pdf", "%PDF-", 0],
];

/** The MIME type of an image or a PDF file that models accept; undefined for other files. */
export function mediaTypeOf(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, 16);
  return SIGNATURES.find(([, signature, at]) => head.startsWith(signature, at))?.[0];
}
