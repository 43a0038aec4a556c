import { counted } from "../../terminal/table.ts";
import { replaceStore } from "./replaceStore.ts";
import { salvageKeys } from "./salvage.ts";

/** Without the keys no journal can be written. Unreadable keys stay in the file that is moved aside. */
export async function repairKeys(path: string, now: number): Promise<string> {
  const { aside, records } = await replaceStore(path, now, salvageKeys);
  return `the journal key store was moved to ${aside}, and ${counted(records, "key")} saved`;
}
