import { formatPlace, HooklineError, type Place } from "../errors.ts";
import { type FileStamp, fileStamp, fingerprint, sameStamp } from "./fingerprint.ts";
import type { HookDeclaration } from "./hookDeclaration.ts";
import type { TrustStore } from "./trustStore.ts";

/** What a person is asked: may these start code? */
export interface TrustRequest {
  readonly projectRoot: string;
  readonly reason: "new" | "changed" | "removed";
  readonly hooks: readonly HookDeclaration[];
}

/** `all`: what is there at start, for this system only. `skip`: go on without. A function: ask. Nothing: refuse to start. */
export type TrustPolicy = "all" | "skip" | ((request: TrustRequest) => boolean | Promise<boolean>);

interface Admitted {
  readonly hook: HookDeclaration;
  readonly print: string;
  readonly stamps: readonly FileStamp[];
}

/** What the gate lets in, what it keeps out, and guards that vanished and now stand in the way until a person looks. */
export interface Admission {
  readonly hooks: readonly HookDeclaration[];
  readonly withdrawn: readonly { readonly hook: HookDeclaration; readonly reason: string }[];
  readonly notices: readonly string[];
}

/** Everything in a project that starts code passes here, at start and, by a stat of its files, at every run. */
export class TrustGate {
  readonly #projectRoot: string;
  readonly #store: TrustStore;
  readonly #policy: TrustPolicy | undefined;
  /** By the place object, which every copy of a declaration shares. */
  #admitted = new Map<Place, Admitted>();
  readonly #asking = new Map<string, Promise<boolean>>();

  constructor(projectRoot: string, store: TrustStore, policy: TrustPolicy | undefined) {
    this.#projectRoot = projectRoot;
    this.#store = store;
    this.#policy = policy;
  }

  /** At start. Throws TRUST_REQUIRED where nobody is there to decide. */
  async admit(hooks: readonly HookDeclaration[]): Promise<Admission> {
    const trusted = this.#policy === "all" ? { hooks: {} } : this.#store.read(this.#projectRoot);
    const candidates = hooks.filter(needsTrust).map(examine);
    const unknown = candidates.filter(({ print }) => !(print in trusted.hooks));
    const accepted = unknown.length === 0 || (await this.#decideAtStart(unknown.map(({ hook }) => hook)));
    const refused = new Set(accepted ? [] : unknown.map(({ hook }) => hook));
    this.#remember(candidates.filter(({ hook }) => !refused.has(hook)));
    // A hook that is switched off is still declared, and still trusted.
    const asleep = hooks
      .filter(isAsleep)
      .map(examine)
      .filter(({ print }) => print in trusted.hooks);
    const declared = new Set([...candidates, ...asleep].map(({ print }) => print));
    const gone = Object.entries(trusted.hooks).filter(([print]) => !declared.has(print));
    const decided = accepted && unknown.length > 0;
    if (this.#policy !== "all" && this.#policy !== "skip" && (gone.length > 0 || decided)) this.#save(asleep);
    return {
      hooks: hooks.map((hook) => (refused.has(hook) ? untrusted(hook) : hook)),
      withdrawn: [],
      notices: gone.map(
        ([, { name, event, place }]) => `"${name}" (${event}), trusted earlier, is no longer declared at ${place}`,
      ),
    };
  }

  /** After a reload. A guard that was changed or removed meanwhile is withdrawn, not dropped, until a person confirms. */
  async readmit(hooks: readonly HookDeclaration[]): Promise<Admission> {
    const candidates = hooks.filter(needsTrust).map(examine);
    const before = new Set([...this.#admitted.values()].map(({ print }) => print));
    const known = (print: string) => before.has(print) || this.#isStored(print);
    const unknown = candidates.filter(({ print }) => !known(print)).map(({ hook }) => hook);
    const accepted = unknown.length === 0 || (await this.#ask("new", unknown));
    const refused = new Set(accepted ? [] : unknown);
    const admitted = candidates.filter(({ hook }) => !refused.has(hook));

    const vanished = [...this.#admitted.values()].filter(
      ({ print }) => !admitted.some((other) => other.print === print),
    );
    const fresh = admitted.filter(({ print }) => !before.has(print));
    const replaced = vanished.filter(({ hook }) => fresh.some((other) => sameHook(other.hook, hook)));
    const missing = vanished.filter((one) => !replaced.includes(one));
    const confirmed =
      missing.length === 0 ||
      (await this.#ask(
        "removed",
        missing.map(({ hook }) => hook),
      ));
    const withdrawn = confirmed ? [] : missing;
    this.#remember([...admitted, ...withdrawn]);
    if (accepted && unknown.length > 0) this.#save();
    return {
      hooks: hooks.map((hook) => (refused.has(hook) ? untrusted(hook) : hook)),
      withdrawn: withdrawn.map(({ hook }) => ({
        hook,
        reason: `was changed or removed at ${formatPlace(hook.place)} after it was trusted`,
      })),
      notices: [],
    };
  }

  /** One stat per file: whether everything this hook starts is as it was trusted, as far as a stat can tell. */
  isUnchanged(hook: HookDeclaration): boolean {
    if (!needsTrust(hook) || hook.target === undefined) return true;
    const { files } = hook.target;
    const stamps = this.#admitted.get(hook.place)?.stamps;
    for (let index = 0; index < files.length; index += 1) {
      if (!sameStamp(stamps?.[index], fileStamp(files[index] ?? ""))) return false;
    }
    return stamps !== undefined;
  }

  /** Which state of its files a hook runs with. For a trusted hook that is the state it was last let through with. */
  stampsOf(hook: HookDeclaration): readonly FileStamp[] {
    const admitted = needsTrust(hook) ? this.#admitted.get(hook.place) : undefined;
    return admitted?.stamps ?? stampsOf(hook);
  }

  /** For a hook that may have changed: undefined if it may run all the same, otherwise why it may not. */
  async refusal(hook: HookDeclaration): Promise<string | undefined> {
    const admitted = this.#admitted.get(hook.place);
    if (!admitted) return "is not trusted";
    const now = examine(admitted.hook);
    const ok =
      now.print === admitted.print || this.#isStored(now.print) || (await this.#askOnce(now.print, admitted.hook));
    if (!ok)
      return `was changed after it was trusted (${hook.target?.files.join(", ")}); run \`hookline trust\` to look at it`;
    this.#admitted.set(hook.place, now);
    if (typeof this.#policy === "function") this.#save();
    return undefined;
  }

  async #decideAtStart(hooks: readonly HookDeclaration[]): Promise<boolean> {
    if (this.#policy === "all") return true;
    if (this.#policy === "skip") return false;
    if (this.#policy !== undefined) return this.#ask("new", hooks);
    const names = hooks.map(
      ({ name, eventName, place }) => `  ${oneLine(name)} (${eventName}) at ${formatPlace(place)}`,
    );
    const what = `This project declares ${hooks.length === 1 ? "a hook that is" : `${hooks.length} hooks that are`} not trusted:\n${names.join("\n")}`;
    throw new HooklineError({ code: "TRUST_REQUIRED", where: { file: this.#projectRoot }, what });
  }

  async #ask(reason: TrustRequest["reason"], hooks: readonly HookDeclaration[]): Promise<boolean> {
    if (typeof this.#policy !== "function") return false;
    return (await this.#policy({ projectRoot: this.#projectRoot, reason, hooks })) === true;
  }

  /** Many events may meet the same changed hook at once; the person is asked once, and a yes is kept. */
  async #askOnce(print: string, hook: HookDeclaration): Promise<boolean> {
    const pending = this.#asking.get(print) ?? this.#ask("changed", [hook]);
    this.#asking.set(print, pending);
    try {
      return await pending;
    } finally {
      this.#asking.delete(print);
    }
  }

  #isStored(print: string): boolean {
    return this.#policy !== "all" && print in this.#store.read(this.#projectRoot).hooks;
  }

  #remember(admitted: readonly Admitted[]): void {
    this.#admitted = new Map(admitted.map((one) => [one.hook.place, one]));
  }

  #save(others: readonly Admitted[] = []): void {
    const trusted = [...this.#admitted.values(), ...others];
    this.#store.write(this.#projectRoot, new Map(trusted.map(({ print, hook }) => [print, hook])));
  }
}

/** Only project files can bring code nobody chose; what is off starts none. */
export function needsTrust({ source, off }: HookDeclaration): boolean {
  return source === "project" && off === undefined;
}

/** A project whose hooks nobody trusted, or that has none to trust, has no say in how others' hooks run. */
export function isProjectTrusted(hooks: readonly HookDeclaration[]): boolean {
  const own = hooks.filter(({ source }) => source === "project");
  return own.some(needsTrust) && !own.some(({ off }) => off?.kind === "untrusted");
}

function isAsleep({ source, off }: HookDeclaration): boolean {
  return source === "project" && off?.kind === "switch";
}

function examine(hook: HookDeclaration): Admitted {
  // Stamps first: a change between the two is then seen at the next run.
  return { hook, stamps: stampsOf(hook), print: fingerprint(hook) };
}

/** A name is the repository's text: it must not be able to add lines of its own to what we say. */
const oneLine = (text: string) => text.replaceAll(/\s+/g, " ");
const stampsOf = ({ target }: HookDeclaration) => target?.files.map(fileStamp) ?? [];
const sameHook = (a: HookDeclaration, b: HookDeclaration) => a.name === b.name && a.eventName === b.eventName;
const untrusted = (hook: HookDeclaration): HookDeclaration => ({
  ...hook,
  off: { kind: "untrusted", what: "its project is not trusted; run `hookline trust`" },
});
