import type { Approve, Config, HookSystem } from "@hookline/engine";
import type { AbilityDeclaration } from "../../declarations/abilities/abilityDeclaration.ts";
import type { AbilityInput } from "../store/task.ts";
import type { ProgramEnvironment } from "./programEnvironment.ts";

/** An execution of an ability after all checks. */
export interface Execution {
  readonly ability: AbilityDeclaration;
  readonly input: AbilityInput;
  readonly projectRoot: string;
  readonly config: Config;
  readonly system: HookSystem;
  /** Answers the asks of hooks on a tool that the ability calls. */
  readonly approve?: Approve;
  readonly environment: ProgramEnvironment;
  /** Variables about the run, for a program. */
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
  readonly onNotice: (text: string) => void;
}
