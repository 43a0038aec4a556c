import { type HookDeclaration, type LoadedSettings, needsTrust, TrustStore } from "@hookline/engine/program";
import type { Io } from "../terminal/io.ts";
import { examineTrust } from "../trust/examineTrust.ts";

/** The hooks that are declared for this folder and switched on. */
export interface DeclaredHooks {
  readonly running: readonly HookDeclaration[];
  /** Hooks of the project that a person has not trusted do not run anywhere. */
  readonly untrusted: readonly HookDeclaration[];
}

export function declaredHooks({ hooks, projectRoot }: LoadedSettings, { homeDir }: Pick<Io, "homeDir">): DeclaredHooks {
  const on = hooks.filter(({ off }) => off === undefined);
  const examined = examineTrust(on.filter(needsTrust), new TrustStore(homeDir).read(projectRoot));
  const open = new Set(examined.flatMap(({ state, declared }) => (state === "trusted" ? [] : [declared])));
  return { running: on.filter((hook) => !open.has(hook)), untrusted: on.filter((hook) => open.has(hook)) };
}

/** What a person should know before believing that agents are guarded here. */
export function hooksNotice(
  { running, untrusted }: DeclaredHooks,
  { asksTrust = true }: { readonly asksTrust?: boolean } = {},
): string | undefined {
  const count = untrusted.length;
  if (count > 0 && asksTrust) {
    const hooks = count === 1 ? "1 hook of this project is" : `${count} hooks of this project are`;
    return `${hooks} not trusted and ${count === 1 ? "does" : "do"} not run: hookline trust`;
  }
  return running.length + count > 0
    ? undefined
    : "No hook is declared here, so nothing is guarded in this folder: hookline new hook";
}
