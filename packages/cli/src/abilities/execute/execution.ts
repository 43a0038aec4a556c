import type { Approve, Config, HookSystem } from "@hookline/engine";
import type { AbilityDeclaration } from "../../declarations/abilities/abilityDeclaration.ts";
import type { AbilityInput } from "../store/task.ts";
import type { ProgramEnvironment } from "./programEnvironment.ts";

/** One execution of an ability that everybody has let through. */
export interface Execution {
  readonly ability: AbilityDeclaration;
  readonly input: AbilityInput;
  readonly projectRoot: string;
  readonly config: Config;
  readonly system: HookSystem;
  /** Answers what hooks of a tool ask that the ability calls. */
  readonly approve?: Approve;
  readonly environment: ProgramEnvironment;
  /** Variables that tell a program what it is started for. */
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
  readonly onNotice: (text: string) => void;
}
