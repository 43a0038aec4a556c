import type { Content, ContentListUnion, ContentUnion, Part } from "@google/genai";

/** Normalises each form of a conversation that the SDK accepts to a list of contents. */
export function listContents(contents: ContentListUnion): readonly Content[] {
  const list: readonly (Content | Part | string)[] = Array.isArray(contents) ? contents : [contents];
  return list.map((entry) => (isContent(entry) ? entry : { role: "user", parts: [partOf(entry)] }));
}

/** The text of an instruction in any of its forms. */
export function textOf(instruction: ContentUnion | undefined): string {
  if (instruction === undefined) return "";
  const list: readonly (Content | Part | string)[] = Array.isArray(instruction) ? instruction : [instruction];
  return list
    .flatMap((entry) => (isContent(entry) ? (entry.parts ?? []) : [partOf(entry)]))
    .flatMap(({ text }) => text ?? [])
    .join("\n\n");
}

function isContent(entry: Content | Part | string): entry is Content {
  return typeof entry === "object" && ("parts" in entry || "role" in entry);
}

function partOf(entry: Part | string): Part {
  return typeof entry === "string" ? { text: entry } : entry;
}
