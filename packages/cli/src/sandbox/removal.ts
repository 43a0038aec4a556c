import { chmodSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cleanUpAtExit } from "../terminal/cleanUp.ts";

/** Returns a function that removes a temporary folder; it also runs on exit. */
export function removal(folder: string): () => void {
  return cleanUpAtExit(() => {
    try {
      removeAll(folder);
    } catch {
      // The operating system cleans its temporary folder eventually.
    }
  });
}

function removeAll(folder: string): void {
  // A process that was just killed may still have been writing.
  const how = { recursive: true, force: true, maxRetries: 5 };
  try {
    rmSync(folder, how);
  } catch {
    makeWritable(folder);
    rmSync(folder, how);
  }
}

/** A hook may have created folders without write permission. */
function makeWritable(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) makeWritable(join(folder, entry.name));
  }
}
