import type { HookSystem } from "@hookline/engine";
import { declaredOf, type HookPlanner, type LoadedSettings, takesEffect } from "@hookline/engine/program";
import { namesOfAbility } from "../abilities/abilityRegistry.ts";
import { ABILITIES } from "../declarations/abilities/abilities.ts";
import { type FiredHook, firedHook } from "../fire/firedHook.ts";
import type { Fields } from "../project/eventInput.ts";
import { eventNamed } from "../project/eventNamed.ts";
import { movedHooks } from "../sandbox/movedHooks.ts";
import { openSettings, readProjectSettings } from "../sandbox/projectSettings.ts";
import type { Relocation } from "../sandbox/relocation.ts";
import { withVariables } from "../sandbox/withVariables.ts";
import { type HookNote, replayedVerdict, type Verdict } from "./verdict.ts";

interface Shot {
  readonly event: string;
  readonly subject: string | undefined;
  readonly input: Fields;
}

/** What came of it; or why nothing was decided at all. */
export type Replayed =
  | {
      readonly kind: "decided";
      readonly verdict: Verdict;
      /** Hooks whose answer would have counted, also those whose failure objects. */
      readonly failed: readonly HookNote[];
      /** What became of these hooks, where they do not object any more. */
      readonly fates: (hooks: readonly string[]) => readonly HookNote[];
    }
  | { readonly kind: "fault"; readonly what: string };

/** The hooks of a copied project, and nobody else's, without those that are left out of replays. */
export class ReplayHooks {
  readonly #system: HookSystem;
  readonly #loaded: LoadedSettings;

  private constructor(system: HookSystem, loaded: LoadedSettings) {
    this.#system = system;
    this.#loaded = loaded;
  }

  static async open(relocation: Relocation): Promise<ReplayHooks> {
    const loaded = movedHooks(await readProjectSettings(relocation.to), relocation);
    const hooks = loaded.hooks.filter(({ replay }) => replay !== "skip");
    // Whether they may run was asked about the folder that they were copied from.
    const system = await openSettings(withVariables({ ...loaded, hooks }, {}), { trust: "all" });
    return new ReplayHooks(system, loaded);
  }

  async fire({ event, subject, input }: Shot, signal: AbortSignal): Promise<Replayed> {
    const aliases = eventNamed(event).spec.vocabulary === "ability" ? this.#aliasesOf(subject) : [];
    const result = await this.#system
      .getEventHandler()
      .fire(event, input, { signal, aliases, waitForAll: true, realPaths: true });
    // An error that is no hook's is the event's.
    const fault = result.errors.find(({ hook }) => hook === undefined);
    if (fault) return { kind: "fault", what: fault.message };
    const ran = result.results.map((one) => firedHook(one.hook.entry, one, one.duration));
    const misses = () => this.#system.getPlanner().explainMisses(event, { subject, aliases, fields: input });
    return {
      kind: "decided",
      verdict: replayedVerdict(result, ran),
      failed: ran.flatMap(({ entry: { config }, failure }) =>
        failure && takesEffect(config) ? [{ hook: config.name, what: failure.message }] : [],
      ),
      fates: (hooks) => hooks.flatMap((hook) => fateOf(hook, ran, misses) ?? []),
    };
  }

  async dispose(): Promise<void> {
    await this.#system.dispose();
  }

  /** The other names that an ability had are not recorded; those that it has now are declared. */
  #aliasesOf(subject: string | undefined): readonly string[] {
    if (subject === undefined) return [];
    const names =
      declaredOf(ABILITIES, this.#loaded.others)
        .map(namesOfAbility)
        .find((all) => all.includes(subject)) ?? [];
    return names.filter((name) => name !== subject);
  }
}

/** Undefined where it objected like before, or where its failure is told anyway. */
function fateOf(
  name: string,
  ran: readonly FiredHook[],
  misses: () => ReturnType<HookPlanner["explainMisses"]>,
): HookNote | undefined {
  const note = (what: string): HookNote => ({ hook: name, what });
  const bearers = ran.filter(({ entry }) => entry.config.name === name);
  if (bearers.some(({ outcome }) => outcome === "allow")) return note("does not object");
  if (bearers.some(({ outcome }) => outcome === "observed")) return note("only looks on");
  if (bearers.length > 0) return undefined;
  const miss = misses().find(({ entry }) => entry.config.name === name);
  return note(miss ? `does not run: ${miss.reason}` : "is not declared for this event");
}
