import { HooklineError } from "@hookline/engine";
import { errorText } from "@hookline/engine/program";
import { placeOf } from "@hookline/journal";
import { readSettings } from "../project/readSettings.ts";
import type { Io } from "../terminal/io.ts";
import { agents } from "./agents.ts";
import { error, type Finding, isTrouble, type Trouble } from "./finding.ts";
import { hookFindings } from "./hooks/hookFindings.ts";
import { type HookReport, hookReports } from "./hooks/hookReports.ts";
import { type History, NO_HISTORY, readHistory } from "./hooks/readHistory.ts";
import { installation } from "./installation.ts";
import { projectTrust } from "./projectTrust.ts";
import { settingsLayers } from "./settingsLayers.ts";
import { stores } from "./stores/stores.ts";
import { trustFindings } from "./trustFindings.ts";

export interface Section {
  readonly title: string;
  readonly findings: readonly Finding[];
}

export interface Examination {
  readonly projectRoot: string;
  readonly sections: readonly Section[];
  readonly hooks: readonly HookReport[];
  /** In the journal but no longer declared. */
  readonly undeclared: History["last"];
}

/** Examines everything without starting project code. Never throws: a check that fails becomes a finding. */
export async function examine(io: Io): Promise<Examination> {
  const now = Date.now();
  const loaded = await readSettings(io);
  const trust = projectTrust(io.homeDir, loaded);
  const place = placeOf(io, loaded);
  const context = { io, loaded, place, trust, now };
  const sections = [
    await section("installation", () => installation(io)),
    await section("settings", () => settingsLayers(loaded)),
    await section("trust", () => trustFindings(trust)),
    await section("stores", () => stores(context)),
    await section("agents", () => agents(io)),
  ].filter(({ findings }) => findings.length > 0);
  const history = await readHistory(place, now).catch(() => NO_HISTORY); // the store checks report the cause
  const hooks = hookReports(context, history);
  const declared = new Set(hooks.map(({ name, source }) => `${source} ${name}`));
  return {
    projectRoot: loaded.projectRoot,
    sections: [...sections, await section("hooks", () => hookFindings(hooks, history, now))],
    hooks,
    undeclared: history.last.filter(({ hook, source }) => !declared.has(`${source} ${hook}`)),
  };
}

export function troublesIn({ sections }: Examination): readonly Trouble[] {
  return sections.flatMap(({ findings }) => findings.filter(isTrouble));
}

async function section(title: string, look: () => readonly Finding[] | Promise<readonly Finding[]>): Promise<Section> {
  try {
    return { title, findings: await look() };
  } catch (cause) {
    const what = `This check failed: ${errorText(cause)}`;
    const next = cause instanceof HooklineError ? cause.next : "This may be a bug in hookline; please report it.";
    return { title, findings: [error({ what, next })] };
  }
}
