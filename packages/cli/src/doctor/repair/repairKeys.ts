import { counted } from "../../terminal/table.ts";
import { replaceStore } from "./replaceStore.ts";
import { salvageKeys } from "./salvage.ts";

/** Without the keys no journal is written at all. Those that cannot be read stay in the file that is put aside. */
export async function repairKeys(path: string, now: number): Promise<string> {
  const { aside, records } = await replaceStore(path, now, salvageKeys);
  return `the store of journals' keys was put aside as ${aside}, and ${counted(records, "key")} of it saved`;
}
