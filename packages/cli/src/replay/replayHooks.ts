import type { HookSystem } from "@hookline/engine";
import { declaredOf, type Fields, type HookPlanner, type LoadedSettings, takesEffect } from "@hookline/engine/program";
import { namesOfAbility } from "../abilities/abilityRegistry.ts";
import { ABILITIES } from "../declarations/abilities/abilities.ts";
import { type FiredHook, firedHook } from "../fire/firedHook.ts";
import { eventNamed } from "../project/eventNamed.ts";
import { movedHooks } from "../sandbox/movedHooks.ts";
import { openSettings, readProjectSettings } from "../sandbox/projectSettings.ts";
import type { Relocation } from "../sandbox/relocation.ts";
import { withVariables } from "../sandbox/withVariables.ts";
import { type HookNote, replayedVerdict, type Verdict } from "./verdict.ts";

interface EventRequest {
  readonly event: string;
  readonly subject: string | undefined;
  readonly input: Fields;
}

/** The verdict of an event, or why there is none. */
export type Replayed =
  | {
      readonly kind: "decided";
      readonly verdict: Verdict;
      /** Failed hooks whose answer would have counted, including those whose failure blocks. */
      readonly failed: readonly HookNote[];
      /** Explains for each of these hooks why it no longer objects. */
      readonly fates: (hooks: readonly string[]) => readonly HookNote[];
    }
  | { readonly kind: "fault"; readonly what: string };

/** The hooks of a copied project, without those of other layers and without those that replays skip. */
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
    // Trust was checked for the folder that they were copied from.
    const system = await openSettings(withVariables({ ...loaded, hooks }, {}), { trust: "all" });
    return new ReplayHooks(system, loaded);
  }

  async fire({ event, subject, input }: EventRequest, signal: AbortSignal): Promise<Replayed> {
    const aliases = eventNamed(event).spec.vocabulary === "ability" ? this.#aliasesOf(subject) : [];
    const result = await this.#system
      .getEventHandler()
      .fire(event, input, { signal, aliases, waitForAll: true, realPaths: true });
    // An error without a hook concerns the event.
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

  /** The journal does not record the aliases of an ability; use those declared now. */
  #aliasesOf(subject: string | undefined): readonly string[] {
    if (subject === undefined) return [];
    const names =
      declaredOf(ABILITIES, this.#loaded.others)
        .map(namesOfAbility)
        .find((all) => all.includes(subject)) ?? [];
    return names.filter((name) => name !== subject);
  }
}

/** Undefined if the hook still objects, or if its failure is reported elsewhere. */
function fateOf(
  name: string,
  ran: readonly FiredHook[],
  misses: () => ReturnType<HookPlanner["explainMisses"]>,
): HookNote | undefined {
  const note = (what: string): HookNote => ({ hook: name, what });
  const bearers = ran.filter(({ entry }) => entry.config.name === name);
  if (bearers.some(({ outcome }) => outcome === "allow")) return note("does not object");
  if (bearers.some(({ outcome }) => outcome === "observed")) return note("only observes");
  if (bearers.length > 0) return undefined;
  const miss = misses().find(({ entry }) => entry.config.name === name);
  return note(miss ? `does not run: ${miss.reason}` : "is not declared for this event");
}
