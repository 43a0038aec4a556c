import { HooklineError } from "@hookline/engine";
import {
  type AnyDeclaration,
  type LoadedSettings,
  needsTrust,
  projectFingerprint,
  type TrustedEntry,
  TrustStore,
} from "@hookline/engine/program";
import { colours } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";
import { visible } from "../terminal/visible.ts";
import { calledIn, type Examined, examineTrust, goneEntries } from "../trust/examineTrust.ts";
import { trustView } from "../trust/trustView.ts";

/** What a person is shown before trusting a project, and what is stored if they agree. */
export interface TrustReview {
  readonly projectRoot: string;
  readonly examined: readonly Examined[];
  /** Trusted earlier and no longer declared. */
  readonly gone: readonly TrustedEntry[];
  /** Not trusted, or changed since. */
  readonly open: readonly AnyDeclaration[];
  /** The fingerprint of the project. */
  readonly print: string;
}

export function reviewTrust({ projectRoot, hooks, others }: LoadedSettings, homeDir: string): TrustReview {
  const trusted = new TrustStore(homeDir).read(projectRoot);
  const examined = examineTrust([...hooks, ...others].filter(needsTrust), trusted);
  return {
    projectRoot,
    examined,
    gone: goneEntries(examined, trusted),
    open: declaredIn(examined.filter(({ state }) => state !== "trusted")),
    print: projectFingerprint(declaredIn(examined), projectRoot),
  };
}

export function trustReviewText({ projectRoot, examined, gone, open, print }: TrustReview, io: Io): string {
  const { bold, dim } = colours(io);
  const lines = [
    bold(visible(projectRoot)),
    ...trustView(examined, projectRoot, io),
    ...gone.map((entry) => dim(`gone ${calledIn(entry)}: trusted earlier, no longer declared`)),
    ...(examined.length === 0
      ? ["Nothing in this project needs trust."]
      : open.length > 0
        ? []
        : ["Everything here is trusted."]),
    ...(examined.length === 0 ? [] : [dim(`fingerprint ${print}`)]),
  ];
  return `${lines.join("\n")}\n`;
}

/** Trusts what was shown. Throws if any of it changed since. */
export function storeTrust({ projectRoot, examined }: TrustReview, homeDir: string): void {
  assertUnchanged(examined, projectRoot);
  const prints = examined.map(({ print, declared }) => [print, declared] as const);
  new TrustStore(homeDir).write(projectRoot, new Map(prints));
}

export function declaredIn(examined: readonly Examined[]): readonly AnyDeclaration[] {
  return examined.map(({ declared }) => declared);
}

/** Refuses to store trust for anything that changed after the user reviewed it. */
function assertUnchanged(examined: readonly Examined[], projectRoot: string): void {
  const now = examineTrust(declaredIn(examined), { projectRoot, hooks: {} });
  const changed = examined.find(({ print }, index) => print !== now[index]?.print);
  if (!changed) return;
  const { name, place: where } = changed.declared;
  const what = `"${name}" changed during your review; nothing was trusted.`;
  throw new HooklineError({ code: "HOOK_CHANGED", where, what });
}
