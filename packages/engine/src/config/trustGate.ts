import { formatPlace, HooklineError, type Place } from "../errors.ts";
import {
  type AnyDeclaration,
  type DeclarationKind,
  type Declarations,
  type Startable,
  sorted,
  together,
  untrustedText,
} from "./declarations.ts";
import { type Examined, examine, isAsleep, needsTrust, stampsOf, withoutTrust } from "./examine.ts";
import { type FileStamp, fileStamp, sameStamp } from "./fingerprint.ts";
import type { Declaration, HookDeclaration } from "./hookDeclaration.ts";
import { goneText, kindOfEntry, type TrustedEntry, type TrustStore } from "./trustStore.ts";

/** What a person is asked: may these start code? */
export interface TrustRequest extends Declarations {
  readonly projectRoot: string;
  readonly reason: "new" | "changed" | "removed";
}

/** `all`: what is there at start, for this system only. `skip`: go on without. A function: ask. Nothing: refuse to start. */
export type TrustPolicy = "all" | "skip" | ((request: TrustRequest) => boolean | Promise<boolean>);

interface Terms {
  readonly policy: TrustPolicy | undefined;
  /** What the program starts besides hooks: nothing else is asked for, let in, or forgotten. */
  readonly starts: readonly Startable[];
}

/** What the gate lets in, what it keeps out, and guards that vanished and now stand in the way until a person looks. */
export interface Admission extends Declarations {
  readonly withdrawn: readonly { readonly hook: HookDeclaration; readonly reason: string }[];
  readonly notices: readonly string[];
}

/** Everything in a project that starts code passes here, at start and, by a stat of its files, at every run. */
export class TrustGate {
  readonly #projectRoot: string;
  readonly #store: TrustStore;
  readonly #policy: TrustPolicy | undefined;
  readonly #starts: readonly DeclarationKind[];
  /** By the place object, which every copy of a declaration shares. */
  #admitted = new Map<Place, Examined>();
  /** The prints of what is switched off. */
  #asleep: ReadonlySet<string> = new Set();
  /** What the store said when the session began: trust granted later, by an agent's shell say, is not adopted. */
  #storedAtStart: ReadonlySet<string> = new Set();
  readonly #asking = new Map<string, Promise<boolean>>();

  constructor(projectRoot: string, store: TrustStore, { policy, starts }: Terms) {
    this.#projectRoot = projectRoot;
    this.#store = store;
    this.#policy = policy;
    this.#starts = ["hooks", ...starts];
  }

  /** At start. Throws TRUST_REQUIRED where nobody is there to decide. */
  async admit(declarations: Declarations): Promise<Admission> {
    const trusted = this.#policy === "all" ? { hooks: {} } : this.#store.read(this.#projectRoot);
    this.#storedAtStart = new Set(Object.keys(trusted.hooks));
    const all = this.#started(declarations);
    const candidates = together(all).filter(needsTrust).map(examine);
    const unknown = candidates.filter(({ print }) => !this.#storedAtStart.has(print));
    const accepted = unknown.length === 0 || (await this.#decideAtStart(unknown.map(({ declared }) => declared)));
    const refused = new Set<Declaration>(accepted ? [] : unknown.map(({ declared }) => declared));
    this.#remember(
      candidates.filter(({ declared }) => !refused.has(declared)),
      all,
    );
    const here = new Set([...candidates.map(({ print }) => print), ...this.#asleep]);
    const gone = Object.entries(trusted.hooks).filter(([print, entry]) => this.#isAbout(entry) && !here.has(print));
    const decided = accepted && unknown.length > 0;
    if (this.#policy !== "all" && this.#policy !== "skip" && (gone.length > 0 || decided)) this.#save();
    return { ...withoutTrust(refused, all), withdrawn: [], notices: gone.map(([, entry]) => goneText(entry)) };
  }

  /** After a reload. A guard that was changed or removed meanwhile is withdrawn, not dropped, until a person confirms. */
  async readmit(declarations: Declarations): Promise<Admission> {
    const all = this.#started(declarations);
    const candidates = together(all).filter(needsTrust).map(examine);
    const before = new Set([...this.#admitted.values()].map(({ print }) => print));
    const known = (print: string) => before.has(print) || this.#storedAtStart.has(print);
    const unknown = candidates.filter(({ print }) => !known(print)).map(({ declared }) => declared);
    const accepted = unknown.length === 0 || (await this.#ask("new", unknown));
    const refused = new Set<Declaration>(accepted ? [] : unknown);
    const admitted = candidates.filter(({ declared }) => !refused.has(declared));

    // Servers and abilities guard nothing: one that vanished is just not there any more.
    const vanished = [...this.#admitted.values()].flatMap(({ declared, ...rest }) =>
      "eventName" in declared && !admitted.some(({ print }) => print === rest.print) ? [{ declared, ...rest }] : [],
    );
    const fresh = admitted.filter(({ print }) => !before.has(print));
    const replaced = vanished.filter(({ declared }) => fresh.some((other) => sameHook(other.declared, declared)));
    const missing = vanished.filter((one) => !replaced.includes(one));
    const confirmed =
      missing.length === 0 ||
      (await this.#ask(
        "removed",
        missing.map(({ declared }) => declared),
      ));
    const withdrawn = confirmed ? [] : missing;
    this.#remember([...admitted, ...withdrawn], all);
    if (accepted && unknown.length > 0) this.#save();
    return {
      ...withoutTrust(refused, all),
      withdrawn: withdrawn.map(({ declared: hook }) => ({
        hook,
        reason: `was changed or removed at ${formatPlace(hook.place)} after it was trusted`,
      })),
      notices: [],
    };
  }

  /** One stat per file: whether everything it starts is as it was trusted, as far as a stat can tell. */
  isUnchanged(declared: Declaration): boolean {
    if (!needsTrust(declared) || declared.target === undefined) return true;
    const { files } = declared.target;
    const stamps = this.#admitted.get(declared.place)?.stamps;
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

  /** For what may have changed: undefined if it may run all the same, otherwise why it may not. */
  async refusal({ place, target }: Declaration): Promise<string | undefined> {
    const admitted = this.#admitted.get(place);
    if (!admitted) return "is not trusted";
    const now = examine(admitted.declared);
    const ok =
      now.print === admitted.print ||
      this.#storedAtStart.has(now.print) ||
      (await this.#askOnce(now.print, admitted.declared));
    if (!ok)
      return `was changed after it was trusted (${target?.files.join(", ")}); look at it with \`hookline trust\`, then start a new session`;
    this.#admitted.set(place, now);
    if (typeof this.#policy === "function") this.#save();
    return undefined;
  }

  async #decideAtStart(all: readonly AnyDeclaration[]): Promise<boolean> {
    if (this.#policy === "all") return true;
    if (this.#policy === "skip") return false;
    if (this.#policy !== undefined) return this.#ask("new", all);
    const what = `This project declares ${untrustedText(all)}`;
    throw new HooklineError({ code: "TRUST_REQUIRED", where: { file: this.#projectRoot }, what });
  }

  async #ask(reason: TrustRequest["reason"], all: readonly AnyDeclaration[]): Promise<boolean> {
    if (typeof this.#policy !== "function") return false;
    return (await this.#policy({ projectRoot: this.#projectRoot, reason, ...sorted(all) })) === true;
  }

  /** Many events may meet the same changed hook at once; the person is asked once, and a yes is kept. */
  async #askOnce(print: string, declared: AnyDeclaration): Promise<boolean> {
    const pending = this.#asking.get(print) ?? this.#ask("changed", [declared]);
    this.#asking.set(print, pending);
    try {
      return await pending;
    } finally {
      this.#asking.delete(print);
    }
  }

  #started({ hooks, servers, abilities }: Declarations): Declarations {
    const isStarted = (kind: Startable) => this.#starts.includes(kind);
    return { hooks, servers: isStarted("servers") ? servers : [], abilities: isStarted("abilities") ? abilities : [] };
  }

  #isAbout(entry: TrustedEntry): boolean {
    return this.#starts.includes(kindOfEntry(entry));
  }

  #remember(admitted: readonly Examined[], all: Declarations): void {
    this.#admitted = new Map(admitted.map((one) => [one.declared.place, one]));
    this.#asleep = new Set(
      together(all)
        .filter(isAsleep)
        .map((declared) => examine(declared).print),
    );
  }

  #save(): void {
    const trusted = new Map([...this.#admitted.values()].map(({ print, declared }) => [print, declared]));
    const isKept = (print: string, entry: TrustedEntry) => !this.#isAbout(entry) || this.#asleep.has(print);
    this.#store.write(this.#projectRoot, trusted, isKept);
  }
}

function sameHook(one: AnyDeclaration, hook: HookDeclaration): boolean {
  return one.name === hook.name && "eventName" in one && one.eventName === hook.eventName;
}
