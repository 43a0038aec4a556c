import { formatPlace, HooklineError, type Place } from "../errors.ts";
import { type Declarations, sorted, untrustedText } from "./declarations.ts";
import { type FileStamp, fileStamp, fingerprint, sameStamp } from "./fingerprint.ts";
import type { Declaration, HookDeclaration } from "./hookDeclaration.ts";
import type { AnyDeclaration } from "./serverDeclaration.ts";
import type { TrustStore } from "./trustStore.ts";

/** What a person is asked: may these start code? */
export interface TrustRequest extends Declarations {
  readonly projectRoot: string;
  readonly reason: "new" | "changed" | "removed";
}

/** `all`: what is there at start, for this system only. `skip`: go on without. A function: ask. Nothing: refuse to start. */
export type TrustPolicy = "all" | "skip" | ((request: TrustRequest) => boolean | Promise<boolean>);

interface Admitted {
  readonly declared: AnyDeclaration;
  readonly print: string;
  readonly stamps: readonly FileStamp[];
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
  /** By the place object, which every copy of a declaration shares. */
  #admitted = new Map<Place, Admitted>();
  readonly #asking = new Map<string, Promise<boolean>>();

  constructor(projectRoot: string, store: TrustStore, policy: TrustPolicy | undefined) {
    this.#projectRoot = projectRoot;
    this.#store = store;
    this.#policy = policy;
  }

  /** At start. Throws TRUST_REQUIRED where nobody is there to decide. */
  async admit({ hooks, servers }: Declarations): Promise<Admission> {
    const trusted = this.#policy === "all" ? { hooks: {} } : this.#store.read(this.#projectRoot);
    const all: readonly AnyDeclaration[] = [...hooks, ...servers];
    const candidates = all.filter(needsTrust).map(examine);
    const unknown = candidates.filter(({ print }) => !(print in trusted.hooks));
    const accepted = unknown.length === 0 || (await this.#decideAtStart(unknown.map(({ declared }) => declared)));
    const refused = new Set<Declaration>(accepted ? [] : unknown.map(({ declared }) => declared));
    this.#remember(candidates.filter(({ declared }) => !refused.has(declared)));
    // What is switched off is still declared, and still trusted.
    const asleep = all
      .filter(isAsleep)
      .map(examine)
      .filter(({ print }) => print in trusted.hooks);
    const here = new Set([...candidates, ...asleep].map(({ print }) => print));
    const gone = Object.entries(trusted.hooks).filter(([print]) => !here.has(print));
    const decided = accepted && unknown.length > 0;
    if (this.#policy !== "all" && this.#policy !== "skip" && (gone.length > 0 || decided)) this.#save(asleep);
    return {
      hooks: hooks.map((hook) => (refused.has(hook) ? untrusted(hook) : hook)),
      servers: servers.map((server) => (refused.has(server) ? untrusted(server) : server)),
      withdrawn: [],
      notices: gone.map(
        ([, { name, event = "MCP server", place }]) =>
          `"${name}" (${event}), trusted earlier, is no longer declared at ${place}`,
      ),
    };
  }

  /** After a reload. A guard that was changed or removed meanwhile is withdrawn, not dropped, until a person confirms. */
  async readmit({ hooks, servers }: Declarations): Promise<Admission> {
    const candidates = [...hooks, ...servers].filter(needsTrust).map(examine);
    const before = new Set([...this.#admitted.values()].map(({ print }) => print));
    const known = (print: string) => before.has(print) || this.#isStored(print);
    const unknown = candidates.filter(({ print }) => !known(print)).map(({ declared }) => declared);
    const accepted = unknown.length === 0 || (await this.#ask("new", unknown));
    const refused = new Set<Declaration>(accepted ? [] : unknown);
    const admitted = candidates.filter(({ declared }) => !refused.has(declared));

    // A server guards nothing: one that vanished is just not there any more.
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
    this.#remember([...admitted, ...withdrawn]);
    if (accepted && unknown.length > 0) this.#save();
    return {
      hooks: hooks.map((hook) => (refused.has(hook) ? untrusted(hook) : hook)),
      servers: servers.map((server) => (refused.has(server) ? untrusted(server) : server)),
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
      now.print === admitted.print || this.#isStored(now.print) || (await this.#askOnce(now.print, admitted.declared));
    if (!ok)
      return `was changed after it was trusted (${target?.files.join(", ")}); run \`hookline trust\` to look at it`;
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

  #isStored(print: string): boolean {
    return this.#policy !== "all" && print in this.#store.read(this.#projectRoot).hooks;
  }

  #remember(admitted: readonly Admitted[]): void {
    this.#admitted = new Map(admitted.map((one) => [one.declared.place, one]));
  }

  #save(others: readonly Admitted[] = []): void {
    const trusted = [...this.#admitted.values(), ...others];
    this.#store.write(this.#projectRoot, new Map(trusted.map(({ print, declared }) => [print, declared])));
  }
}

/** Only project files can bring code nobody chose; what is off starts none. */
export function needsTrust({ source, off }: Declaration): boolean {
  return source === "project" && off === undefined;
}

/** A project whose code nobody trusted, or that has none to trust, has no say in how others' hooks run. */
export function isProjectTrusted({ hooks, servers }: Declarations): boolean {
  const own = [...hooks, ...servers].filter(({ source }) => source === "project");
  return own.some(needsTrust) && !own.some(({ off }) => off?.kind === "untrusted");
}

function isAsleep({ source, off }: Declaration): boolean {
  return source === "project" && off?.kind === "switch";
}

function examine(declared: AnyDeclaration): Admitted {
  // Stamps first: a change between the two is then seen at the next run.
  return { declared, stamps: stampsOf(declared), print: fingerprint(declared) };
}

const stampsOf = ({ target }: Declaration) => target?.files.map(fileStamp) ?? [];
const sameHook = (a: AnyDeclaration, b: HookDeclaration) =>
  a.name === b.name && "eventName" in a && a.eventName === b.eventName;
const untrusted = <Kind extends Declaration>(declared: Kind): Kind => ({
  ...declared,
  off: { kind: "untrusted", what: "its project is not trusted; run `hookline trust`" },
});
