import { closeSync, constants, existsSync, fchmodSync, openSync } from "node:fs";
import { basename } from "node:path";

/** Removes the permissions of group and others, and never follows a link. */
export function ownersOnly(files: readonly string[]): string {
  for (const file of files.filter((one) => existsSync(one))) {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      fchmodSync(descriptor, 0o600);
    } finally {
      closeSync(descriptor);
    }
  }
  return `only you can now read and write ${files.map((file) => basename(file)).join(", ")}`;
}
