import { join } from "node:path";

/** The native spawner for this machine, in a package that ships it. Undefined on other systems than Linux, where Node does not fork. */
export function spawnerFile(packageFolder: string): string | undefined {
  return process.platform === "linux"
    ? join(packageFolder, "native", `hookline-spawn-linux-${process.arch}`)
    : undefined;
}
