import { HooklineError } from "@hookline/engine";
import {
  type AnyDeclaration,
  type LoadedSettings,
  needsTrust,
  type TrustedEntry,
  TrustStore,
} from "@hookline/engine/program";
import { type Examined, examineTrust, goneEntries } from "../trust/examineTrust.ts";

/** The user's trust decisions about the code of a project. */
export interface ProjectTrust {
  /** Every declaration that starts code. */
  readonly examined: readonly Examined[];
  /** Trusted earlier and no longer declared. */
  readonly gone: readonly TrustedEntry[];
  /** Set if the earlier decisions cannot be read. */
  readonly fault: HooklineError | undefined;
}

export function projectTrust(homeDir: string, { projectRoot, hooks, others }: LoadedSettings): ProjectTrust {
  const own = [...hooks, ...others].filter(({ source }) => source === "project");
  const examined = (trusted: Parameters<typeof examineTrust>[1]) => examineTrust(own.filter(needsTrust), trusted);
  try {
    const trusted = new TrustStore(homeDir).read(projectRoot);
    // A declaration that is switched off or broken is still declared.
    const gone = goneEntries(examineTrust(own, trusted), trusted);
    return { examined: examined(trusted), gone, fault: undefined };
  } catch (error) {
    if (!(error instanceof HooklineError)) throw error;
    return { examined: examined({ projectRoot, hooks: {} }), gone: [], fault: error };
  }
}

export function isTrusted({ examined }: ProjectTrust, declared: AnyDeclaration): boolean {
  return examined.every((one) => one.declared !== declared || one.state === "trusted");
}
