import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageFile } from "../packageFile.ts";
import { cleanUpAtExit } from "../terminal/cleanUp.ts";

export interface DemoProject {
  readonly folder: string;
  /** Where its journal and transcript go; undefined: the user's own state. */
  readonly stateHomeDir: string | undefined;
  readonly remove: () => void;
}

/** Copies the example project to a writable folder. Unless `keep` is set, removes it on exit. */
export function copyDemoProject({ keep }: { readonly keep: boolean }): DemoProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "hookline-demo-")));
  // A temporary project must not leave anything in the user's state.
  const stateHomeDir = keep ? undefined : mkdtempSync(join(tmpdir(), "hookline-demo-state-"));
  const removeFolder = () => {
    for (const made of [folder, stateHomeDir]) if (made) rmSync(made, { recursive: true, force: true, maxRetries: 3 });
  };
  // Also at exit: a closed pipe (`| head`) and a second Ctrl-C end the program at once.
  const remove = keep ? () => {} : cleanUpAtExit(removeFolder);
  cpSync(packageFile("bundle/demo"), folder, { recursive: true });
  return { folder, stateHomeDir, remove };
}
