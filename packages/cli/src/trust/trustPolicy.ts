import { type TrustPolicy, type TrustRequest, TrustStore } from "@hookline/engine";
import type { Io } from "../io.ts";
import { counted } from "../table.ts";
import { visible } from "../visible.ts";
import { examineTrust } from "./examineTrust.ts";
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

async function askForTrust(io: Io, { projectRoot, reason, hooks }: TrustRequest): Promise<boolean> {
  if (reason === "removed") {
    const names = hooks.map(({ name }) => visible(name)).join(", ");
    return io.confirm(`${names} was trusted and is no longer declared. Go on without?`);
  }
  const examined = examineTrust(hooks, new TrustStore(io.homeDir).read(projectRoot));
  io.stdout(`${trustView(examined, projectRoot, io).join("\n")}\n`);
  return io.confirm(trustQuestion(hooks.length, projectRoot));
}

export function trustQuestion(hooks: number, projectRoot: string): string {
  return `May ${counted(hooks, "hook")} of ${visible(projectRoot)} start this code, now and whenever its events fire?`;
}
