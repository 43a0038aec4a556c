import { type AnyDeclaration, type TrustPolicy, type TrustRequest, TrustStore } from "@hookline/engine";
import type { Io } from "../io.ts";
import { visible } from "../visible.ts";
import { countedIn, examineTrust } from "./examineTrust.ts";
import { trustView } from "./trustView.ts";

interface Asked {
  readonly trustProject: boolean;
  /** Nobody is asked where only a program reads. */
  readonly json: boolean;
}

/** The gate of every command that starts project code. Undefined: refuse, and say what to type. */
export function trustPolicy(io: Io, { trustProject, json }: Asked): TrustPolicy | undefined {
  if (trustProject || io.env.HOOKLINE_TRUST_PROJECT === "1") return "all";
  return io.interactive && !json ? (request) => askForTrust(io, request) : undefined;
}

async function askForTrust(io: Io, { projectRoot, reason, ...asked }: TrustRequest): Promise<boolean> {
  const all = [...asked.hooks, ...asked.servers, ...asked.abilities];
  if (reason === "removed") {
    const names = all.map(({ name }) => visible(name)).join(", ");
    return io.confirm(`${names} was trusted and is no longer declared. Go on without?`);
  }
  const examined = examineTrust(all, new TrustStore(io.homeDir).read(projectRoot));
  io.stdout(`${trustView(examined, projectRoot, io).join("\n")}\n`);
  return io.confirm(trustQuestion(all, projectRoot));
}

export function trustQuestion(all: readonly AnyDeclaration[], projectRoot: string): string {
  const when = all.every((declared) => "eventName" in declared) ? "whenever its events fire" : "in later sessions";
  return `May ${countedIn(all)} of ${visible(projectRoot)} start this code, now and ${when}?`;
}
