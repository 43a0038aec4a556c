export const MAX_MEDIA_BYTES = 8 * 1024 * 1024;

/** By content, not by name: what is sent to a model as a picture should be one. */
const SIGNATURES: readonly (readonly [mimeType: string, signature: string, at: number])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n", 0],
  ["image/jpeg", "\xff\xd8\xff", 0],
  ["image/gif", "GIF8", 0],
  ["image/webp", "WEBP", 8],
  ["application/pdf", "%PDF-", 0],
];

/** The type of an image or a PDF file that models take; undefined for everything else. */
export function mediaTypeOf(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, 16);
  return SIGNATURES.find(([, signature, at]) => head.startsWith(signature, at))?.[0];
}
