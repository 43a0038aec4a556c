import { join } from "node:path";
import { SettingsConfig } from "@hookline/engine";
import { settingsOptions } from "../project/readSettings.ts";

interface Where {
  readonly homeDir: string;
  readonly systemFile?: string | undefined;
}

/** The user's setting: whether decisions without a terminal count. */
export async function withoutTerminal({ homeDir, systemFile }: Where): Promise<boolean> {
  try {
    const cwd = join(homeDir, ".hookline", "run"); // no project
    const options = settingsOptions({ cwd, homeDir, ...(systemFile === undefined ? {} : { systemFile }) });
    return (await new SettingsConfig(options).loadSettings()).approvals.withoutTerminal;
  } catch {
    return false; // unreadable settings allow nothing
  }
}
