import { statfsSync } from "node:fs";
import { dirname } from "node:path";

/** `f_type` values of statfs for network file systems, where WAL's shared memory does not work across machines. */
const NETWORK: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0xff534d42, // CIFS
  0xfe534d42, // SMB2
  0x517b, // SMB
  0x01021997, // 9p
  0x65735546, // FUSE: sshfs and the like
  0x5346414f, // AFS
  0x00c36400, // Ceph
  0x0bd00bd0, // Lustre
]);

/** The statement that sets the journal mode: WAL, or a rollback journal on network file systems. */
export function journalMode(path: string): string {
  return `PRAGMA journal_mode = ${isNetwork(dirname(path)) ? "DELETE" : "WAL"}`;
}

function isNetwork(folder: string): boolean {
  try {
    return process.platform === "linux" && NETWORK.has(statfsSync(folder).type >>> 0);
  } catch {
    return false;
  }
}
