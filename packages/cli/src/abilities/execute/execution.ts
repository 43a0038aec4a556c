import type { AbilityDeclaration, HookSystem } from "@hookline/engine";
import type { AbilityInput } from "../store/task.ts";
import type { ProgramEnvironment } from "./programEnvironment.ts";

/** One execution of an ability that everybody has let through. */
export interface Execution {
  readonly ability: AbilityDeclaration;
  readonly input: AbilityInput;
  readonly projectRoot: string;
  readonly system: HookSystem;
  readonly environment: ProgramEnvironment;
  /** Variables that tell a program what it is started for. */
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
  readonly onNotice: (text: string) => void;
}
