import { chmodSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cleanUpAtExit } from "../terminal/cleanUp.ts";

/** Removes a temporary folder when it is called, or at the latest when the program exits. */
export function removal(folder: string): () => void {
  return cleanUpAtExit(() => {
    try {
      removeAll(folder);
    } catch {
      // The system clears its temporary folder some day.
    }
  });
}

function removeAll(folder: string): void {
  // A process that was just ended may still have been writing.
  const how = { recursive: true, force: true, maxRetries: 5 };
  try {
    rmSync(folder, how);
  } catch {
    makeWritable(folder);
    rmSync(folder, how);
  }
}

/** A hook may have made folders that nobody can empty. */
function makeWritable(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) makeWritable(join(folder, entry.name));
  }
}
