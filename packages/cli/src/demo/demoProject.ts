import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageFile } from "../packageFile.ts";

export interface DemoProject {
  readonly folder: string;
  readonly remove: () => void;
}

/** A copy of the example project, with every right to change it. Unless it is kept, it goes when the program does. */
export function copyDemoProject({ keep }: { readonly keep: boolean }): DemoProject {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "hookline-demo-")));
  const removeFolder = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  // A reader who has seen enough (`| head`) and a second Ctrl-C end the program at once.
  if (!keep) process.once("exit", removeFolder);
  cpSync(packageFile("bundle/demo"), folder, { recursive: true });
  return {
    folder,
    remove: () => {
      if (keep) return;
      process.off("exit", removeFolder);
      removeFolder();
    },
  };
}
