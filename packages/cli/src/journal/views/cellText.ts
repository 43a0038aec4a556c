import type { Cell } from "../../terminal/table.ts";

/** What is read of a cell, without its style. */
export function cellText(cell: Cell | undefined): string {
  return cell === undefined ? "" : typeof cell === "string" ? cell : cell.text;
}
