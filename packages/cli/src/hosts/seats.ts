import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import type { Seat } from "./seat.ts";

/** All hosts that hookline can be installed into. */
export const SEATS: readonly Seat[] = [claude, codex, gemini];

export const HOST_NAMES: readonly string[] = SEATS.map(({ name }) => name);
