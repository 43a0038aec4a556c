import type { MergeName } from "../../events/eventSpec.ts";
import { collect } from "./collect.ts";
import { infra } from "./infra.ts";
import type { Merge } from "./merged.ts";
import { signals } from "./signals.ts";
import { stopFirst } from "./stopFirst.ts";
import { strictest } from "./strictest.ts";
import { toolSelection } from "./toolSelection.ts";

/** The strategies by the names that catalog rows use. */
export const MERGES: Readonly<Record<MergeName, Merge>> = {
  strictest,
  stopFirst,
  toolSelection,
  collect,
  signals,
  infra,
};
