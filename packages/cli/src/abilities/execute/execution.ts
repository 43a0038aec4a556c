import type { AbilityDeclaration, HookSystem } from "@hookline/engine";
import type { AbilityInput } from "../store/task.ts";

/** One execution of an ability that everybody has let through. */
export interface Execution {
  readonly ability: AbilityDeclaration;
  readonly input: AbilityInput;
  readonly projectRoot: string;
  readonly system: HookSystem;
  /** What programs inherit, before credentials are taken out. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables that tell a program what it is started for. */
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
  readonly onNotice: (text: string) => void;
}
