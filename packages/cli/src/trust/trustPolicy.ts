import type { TrustPolicy, TrustRequest } from "@hookline/engine";
import { type AnyDeclaration, isHook, TrustStore } from "@hookline/engine/program";
import { decisionLines, decisionText } from "../terminal/decisionText.ts";
import type { Io } from "../terminal/io.ts";
import { unifiedDiff } from "../terminal/unifiedDiff.ts";
import { visible } from "../terminal/visible.ts";
import { countedIn, examineTrust } from "./examineTrust.ts";
import { trustView } from "./trustView.ts";

interface TrustOptions {
  readonly trustProject: boolean;
  /** Never ask if the output is for a program. */
  readonly json: boolean;
}

/** The trust check of every command that starts project code. Undefined: refuse, and tell the user what to type. */
export function trustPolicy(io: Io, { trustProject, json }: TrustOptions): TrustPolicy | undefined {
  if (trustProject || io.env.HOOKLINE_TRUST_PROJECT === "1") return "all";
  return io.interactive && !json ? (request) => askForTrust(io, request) : undefined;
}

async function askForTrust(io: Io, { projectRoot, reason, changes, ...asked }: TrustRequest): Promise<boolean> {
  const all = [...asked.hooks, ...asked.others];
  const names = all.map(({ name }) => decisionText(name)).join(", ");
  if (reason === "removed") {
    return io.confirm(`${names} was removed or switched off during this session. Continue without?`);
  }
  if (changes.length > 0) {
    const diffs = await Promise.all(changes.map(({ file, before, after }) => changeView(file, before, after)));
    io.stdout(`${diffs.flat().join("\n")}\n`);
    return io.confirm(`${names} was changed during this session. Continue with the new version?`);
  }
  const examined = examineTrust(all, new TrustStore(io.homeDir).read(projectRoot));
  io.stdout(`${trustView(examined, projectRoot, io).join("\n")}\n`);
  return io.confirm(trustQuestion(all, projectRoot));
}

async function changeView(file: string, before = "", after = ""): Promise<readonly string[]> {
  return decisionLines((await unifiedDiff(file, before, after)).trimEnd());
}

export function trustQuestion(all: readonly AnyDeclaration[], projectRoot: string): string {
  const when = all.every(isHook) ? "whenever its events fire" : "in later sessions";
  return `May ${countedIn(all)} of ${visible(projectRoot)} start this code, now and ${when}?`;
}
