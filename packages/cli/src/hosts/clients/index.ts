import type { ClientRow } from "./clientRow.ts";
import { curl } from "./curl.ts";
import { native } from "./native.ts";
import { node } from "./node.ts";

/** The best first. */
export const CLIENTS: readonly ClientRow[] = [native, curl, node];
