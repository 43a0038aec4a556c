import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import type { Dialect } from "./dialect.ts";
import { gemini } from "./gemini.ts";

/** All hosts, by name. */
export const DIALECTS = { claude, codex, gemini } satisfies Record<string, Dialect>;

export type DialectName = keyof typeof DIALECTS;
