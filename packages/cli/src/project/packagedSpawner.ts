import { spawnerFile } from "@hookline/engine/process";
import { packageFile } from "../packageFile.ts";

/** The program that starts the processes of hooks; `false` where there is none for this system. */
export function packagedSpawner(): string | false {
  return spawnerFile(packageFile("")) ?? false;
}
