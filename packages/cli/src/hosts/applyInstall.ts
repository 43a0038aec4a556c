import { dirname } from "node:path";
import type { Io } from "../terminal/io.ts";
import { hashOf, type InstallPlan } from "./hostPlan.ts";
import { type Installed, withHost, writeInstalled } from "./installed.ts";
import { placeClient } from "./placeClient.ts";
import type { Prepared } from "./prepare.ts";
import { makeFolders, writeHostFile } from "./writeHostFile.ts";

/** Writes what was shown: the client first, since a host must never call what is not there. */
export function applyInstall({ homeDir }: Pick<Io, "homeDir">, { place, installed, hosts }: Prepared): void {
  const made = placeClient(homeDir, place);
  let record: Installed = { ...installed, folders: [...new Set([...installed.folders, ...made])] };
  for (const { plan } of hosts) {
    const known = installed.hosts.find(({ path }) => path === plan.file.path);
    if (plan.bytes === undefined && known !== undefined) continue;
    const folders = makeFolders(dirname(plan.file.target));
    record = withHost(record, entryOf(plan, [...(known?.folders ?? []), ...folders]));
    // Before the file: if this process is killed in between, the record says what the file was.
    writeInstalled(homeDir, record);
    if (plan.bytes !== undefined) writeHostFile(plan.file, plan.bytes);
  }
}

function entryOf(
  { seat, level, file, bytes, original }: InstallPlan,
  folders: readonly string[],
): Installed["hosts"][number] {
  return {
    host: seat.name,
    level,
    path: file.path,
    before: original === null ? null : original.toString("base64"),
    afterHash: hashOf(bytes ?? file.bytes ?? Buffer.alloc(0)),
    folders: [...folders],
  };
}
