import type { Cell } from "../../terminal/table.ts";

/** The text of a cell, without its style. */
export function cellText(cell: Cell | undefined): string {
  return cell === undefined ? "" : typeof cell === "string" ? cell : cell.text;
}
