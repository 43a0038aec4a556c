import { formatPlace, HooklineError, type Place } from "../../errors.ts";
import type { DeclarationKind } from "../hooks/declarationKind.ts";
import {
  type Declarations,
  enumerated,
  flatten,
  groupByKind,
  isHook,
  oneLineName,
  untrustedText,
} from "../hooks/declarations.ts";
import type { AnyDeclaration, Declaration, HookDeclaration } from "../hooks/hookDeclaration.ts";
import { type FileChange, FileTexts } from "../layers/fileTexts.ts";
import { isOutOfReach } from "../layers/outOfReach.ts";
import { type FileStamp, fileStamp, sameStamp } from "../values/fileContent.ts";
import { type Examined, examine, isAsleep, isOwnHook, needsTrust, stampsOf, withoutTrust } from "./examine.ts";
import { LooksOfThisTurn } from "./looksOfThisTurn.ts";
import { checkedDecision, checkedPolicy } from "./trustPolicy.ts";
import {
  goneText,
  isAbout,
  isOutdated,
  kindOfEntry,
  lapsedText,
  OUTDATED_TRUST,
  type TrustedEntry,
  type TrustStore,
} from "./trustStore.ts";

/** The question to a person: may these start code? */
export interface TrustRequest extends Declarations {
  readonly projectRoot: string;
  readonly reason: "new" | "changed" | "removed";
  /** The old and new content of files that changed during the session. */
  readonly changes: readonly FileChange[];
}

/** `all`: trust what is there at start, for this system only. `skip`: go on without. A function: ask. Absent: refuse to start. */
export type TrustPolicy = "all" | "skip" | ((request: TrustRequest) => boolean | Promise<boolean>);

interface Terms {
  readonly policy: TrustPolicy | undefined;
  /** The kinds other than hooks that the program starts; the gate ignores all others. */
  readonly starts: readonly DeclarationKind[];
}

/** What the gate admits and refuses, and guards that disappeared: those object until a person reviews the change. */
export interface Admission extends Declarations {
  readonly withdrawn: readonly { readonly hook: HookDeclaration; readonly reason: string }[];
  readonly notices: readonly string[];
}

/**
 * Checks everything in a project that starts code, at start and, by a stat of its files, at every run. Hooks of the user,
 * the system and extensions need no trust, but must not change during a session.
 */
export class TrustGate {
  readonly #projectRoot: string;
  readonly #store: TrustStore;
  readonly #policy: TrustPolicy | undefined;
  readonly #starts: readonly DeclarationKind[];
  /** Keyed by the place object, which all copies of a declaration share. */
  #admitted = new Map<Place, Examined>();
  /** Fingerprints of declarations that are switched off. */
  #asleep: ReadonlySet<string> = new Set();
  /** The store's content when the session began: trust granted later, for example through the agent's shell, does not count. */
  #storedAtStart: ReadonlySet<string> = new Set();
  readonly #looks = new LooksOfThisTurn();
  readonly #texts = new FileTexts();
  readonly #asking = new Map<string, Promise<boolean>>();

  constructor(projectRoot: string, store: TrustStore, { policy, starts }: Terms) {
    this.#projectRoot = projectRoot;
    this.#store = store;
    this.#policy = checkedPolicy(policy);
    this.#starts = starts;
  }

  /** Called at start. Throws TRUST_REQUIRED if there is no policy to decide. */
  async admit(declarations: Declarations): Promise<Admission> {
    const trusted = this.#policy === "all" ? { hooks: {} } : this.#store.read(this.#projectRoot);
    this.#storedAtStart = new Set(Object.keys(trusted.hooks));
    const all = this.#started(declarations);
    const candidates = flatten(all).filter(needsTrust).map(examine);
    const unknown = candidates.filter(({ print }) => !this.#storedAtStart.has(print));
    const accepted =
      unknown.length === 0 ||
      (await this.#decideAtStart(
        unknown.map(({ declared }) => declared),
        Object.values(trusted.hooks),
      ));
    const refused = new Set<Declaration>(accepted ? [] : unknown.map(({ declared }) => declared));
    const admitted = candidates.filter(({ declared }) => !refused.has(declared));
    this.#remember([...admitted, ...all.hooks.filter(isOwnHook).map(examine)], all);
    const here = new Set([...candidates.map(({ print }) => print), ...this.#asleep]);
    const gone = Object.entries(trusted.hooks).filter(([print, entry]) => this.#isAbout(entry) && !here.has(print));
    const decided = accepted && unknown.length > 0;
    if (this.#policy !== "all" && this.#policy !== "skip" && (gone.length > 0 || decided)) this.#save();
    return {
      ...withoutTrust(refused, all),
      withdrawn: [],
      notices: gone.flatMap(([, entry]) => {
        const isDeclared = unknown.some(({ declared }) => isAbout(entry, declared));
        if (isDeclared) return accepted ? [] : [lapsedText(entry, this.#starts)];
        return [goneText(entry, this.#starts)];
      }),
    };
  }

  /** Called after a reload. A guard that was changed or removed is withdrawn, not dropped, until a person confirms. */
  async readmit(declarations: Declarations): Promise<Admission> {
    const all = this.#started(declarations);
    const candidates = [...flatten(all).filter(needsTrust), ...all.hooks.filter(isOwnHook)].map(examine);
    const before = [...this.#admitted.values()];
    const isBefore = (print: string) => before.some((one) => one.print === print) || this.#storedAtStart.has(print);
    const vanished = before.flatMap(asHook).filter(({ print }) => !candidates.some((one) => one.print === print));
    const unknown = candidates.filter(
      ({ print, declared }) => !isBefore(print) && this.#isToConfirm(declared, vanished),
    );
    const accepted =
      unknown.length === 0 ||
      (await this.#ask(
        unknown.some(({ declared }) => needsTrust(declared)) ? "new" : "changed",
        unknown.map(({ declared }) => declared),
      ));
    const refused = new Set<Declaration>(accepted ? [] : unknown.map(({ declared }) => declared));
    const admitted = candidates.filter(({ declared }) => !refused.has(declared));
    const fresh = admitted.filter(({ print }) => !before.some((one) => one.print === print));
    const missing = vanished.filter(({ declared }) => !this.#isReplaced(declared, { fresh, all }));
    const confirmed =
      missing.length === 0 ||
      (await this.#ask(
        "removed",
        missing.map(({ declared }) => declared),
      ));
    const withdrawn = confirmed ? [] : missing;
    this.#remember([...admitted, ...withdrawn], all);
    if (accepted && unknown.some(({ declared }) => needsTrust(declared))) this.#save();
    return {
      ...withoutTrust(refused, all),
      withdrawn: withdrawn.map(({ declared: hook }) => ({ hook, reason: withdrawnReason(hook) })),
      notices: [],
    };
  }

  /** Whether everything it starts is unchanged since it was trusted, as far as one stat per file can tell. */
  isUnchanged(declared: Declaration): boolean {
    if (!isFingerprinted(declared)) return true;
    const stamps = this.#admitted.get(declared.place)?.stamps;
    const isSame = stamps !== undefined && areAsStamped(declared.target?.files ?? [], stamps);
    if (!isSame) this.#looks.delete(declared.place);
    return isSame;
  }

  /** The same, cached for this turn of the event loop: a stat costs as much as an in-process hook. */
  wasUnchanged(declared: Declaration): boolean {
    if (this.#looks.has(declared.place)) return true;
    const isSame = this.isUnchanged(declared);
    if (isSame) this.#looks.add(declared.place);
    return isSame;
  }

  /** The stamps with which its files were last admitted; none if it needs no check. */
  admittedStamps({ place }: Declaration): readonly FileStamp[] {
    return this.#admitted.get(place)?.stamps ?? NO_STAMPS;
  }

  /** The stamps with which the hook's files were last admitted, or their current ones. */
  stampsOf(hook: HookDeclaration): readonly FileStamp[] {
    return this.#admitted.get(hook.place)?.stamps ?? stampsOf(hook);
  }

  /** Rechecks a declaration that may have changed: undefined if it may run, otherwise why it may not. */
  async refusal({ place, target }: Declaration): Promise<string | undefined> {
    const admitted = this.#admitted.get(place);
    if (!admitted) return "is not trusted";
    const { declared } = admitted;
    const now = examine(declared);
    const isKnown =
      now.print === admitted.print ||
      this.#storedAtStart.has(now.print) ||
      (!needsTrust(declared) && changedFiles(admitted, now).every(isOutOfReach));
    const ok = (isKnown && !cannotStart(admitted, now)) || (await this.#askOnce(now.print, declared));
    if (!ok) return changedReason(declared, target?.files ?? []);
    this.#admitted.set(place, now);
    if (typeof this.#policy === "function") {
      this.#texts.keep(now.declared);
      this.#save();
    }
    return undefined;
  }

  /** An additional user hook is one guard more; a replaced one may be one guard less. */
  #isToConfirm(declared: AnyDeclaration, vanished: readonly ExaminedHook[]): boolean {
    if (needsTrust(declared)) return true;
    const replaced = vanished.filter((one) => sameHook(declared, one.declared));
    return replaced.length > 0 && ![declared, ...replaced.map((one) => one.declared)].every(isOutOfUsersReach);
  }

  #isReplaced(hook: HookDeclaration, { fresh, all }: { fresh: readonly Examined[]; all: Declarations }): boolean {
    if (fresh.some(({ declared }) => declared.source === hook.source && sameHook(declared, hook))) return true;
    if (needsTrust(hook)) return false;
    // An administrator may remove or switch off their own hooks.
    const off = all.hooks.find((one) => sameHook(one, hook))?.off;
    return isOutOfUsersReach(hook) && (off?.kind !== "switch" || isOutOfReach(off.by.file));
  }

  async #decideAtStart(all: readonly AnyDeclaration[], trusted: readonly TrustedEntry[]): Promise<boolean> {
    if (this.#policy === "all") return true;
    if (this.#policy === "skip") return false;
    if (this.#policy !== undefined) return this.#ask("new", all);
    const outdated = all.filter((declared) => trusted.some((entry) => isOutdated(entry) && isAbout(entry, declared)));
    const what = `This project declares ${untrustedText(all, this.#starts)}${outdatedText(outdated)}`;
    throw new HooklineError({ code: "TRUST_REQUIRED", where: { file: this.#projectRoot }, what });
  }

  async #ask(reason: TrustRequest["reason"], all: readonly AnyDeclaration[]): Promise<boolean> {
    if (typeof this.#policy !== "function") return false;
    const changes = this.#texts.changesIn(all);
    const request = { projectRoot: this.#projectRoot, reason, changes, ...groupByKind(all) };
    return checkedDecision(await this.#policy(request));
  }

  /** Many events may find the same changed hook at once: ask once, and store a yes. */
  async #askOnce(print: string, declared: AnyDeclaration): Promise<boolean> {
    const pending = this.#asking.get(print) ?? this.#ask("changed", [declared]);
    this.#asking.set(print, pending);
    try {
      return await pending;
    } finally {
      this.#asking.delete(print);
    }
  }

  #started({ hooks, others }: Declarations): Declarations {
    return { hooks, others: others.filter(({ kind }) => this.#isStarted(kind)) };
  }

  #isStarted(kind: string): boolean {
    return kind === "hook" || this.#starts.some((row) => row.kind === kind);
  }

  #isAbout(entry: TrustedEntry): boolean {
    return this.#isStarted(kindOfEntry(entry));
  }

  #remember(admitted: readonly Examined[], all: Declarations): void {
    this.#admitted = new Map(admitted.map((one) => [one.declared.place, one]));
    // Only needed if a person can be shown the changes.
    if (typeof this.#policy === "function") for (const { declared } of admitted) this.#texts.keep(declared);
    this.#asleep = new Set(
      flatten(all)
        .filter(isAsleep)
        .map((declared) => examine(declared).print),
    );
  }

  #save(): void {
    const project = [...this.#admitted.values()].filter(({ declared }) => needsTrust(declared));
    const trusted = new Map(project.map(({ print, declared }) => [print, declared]));
    const isKept = (print: string, entry: TrustedEntry) => !this.#isAbout(entry) || this.#asleep.has(print);
    this.#store.write(this.#projectRoot, trusted, isKept);
  }
}

const NO_STAMPS: readonly FileStamp[] = [];

interface ExaminedHook extends Examined {
  readonly declared: HookDeclaration;
}

function outdatedText(all: readonly AnyDeclaration[]): string {
  if (all.length === 0) return "";
  return `\n  Trusted with hookline 0.1: ${enumerated(all.map(oneLineName))}. For each, ${OUTDATED_TRUST}.`;
}

/** Only hooks can guard: other declarations may disappear freely. */
function asHook({ declared, ...rest }: Examined): readonly ExaminedHook[] {
  return isHook(declared) ? [{ declared, ...rest }] : [];
}

function isFingerprinted(declared: Declaration): boolean {
  if (declared.target === undefined) return false;
  return needsTrust(declared) || (declared.kind === "hook" && isOwnHook(declared));
}

function areAsStamped(files: readonly string[], stamps: readonly FileStamp[]): boolean {
  for (let index = 0; index < files.length; index += 1) {
    if (!sameStamp(stamps[index], fileStamp(files[index] ?? ""))) return false;
  }
  return true;
}

function sameHook(one: AnyDeclaration, hook: HookDeclaration): boolean {
  return one.name === hook.name && isHook(one) && one.eventName === hook.eventName;
}

function isOutOfUsersReach({ place, target }: Declaration): boolean {
  return [place.file, ...(target?.files ?? [])].every(isOutOfReach);
}

function changedFiles(before: Examined, now: Examined): readonly string[] {
  const files = before.declared.target?.files ?? [];
  return files.filter((_, index) => !sameStamp(before.stamps[index], now.stamps[index]));
}

/** A script that may not be executed any more is the same one, and guards nothing. */
function cannotStart(before: Examined, now: Examined): boolean {
  const mayExecute = (stamp: FileStamp) => stamp !== undefined && (stamp.mode & 0o111) !== 0;
  return before.stamps.some((stamp, index) => mayExecute(stamp) && !mayExecute(now.stamps[index]));
}

function changedReason(declared: Declaration, files: readonly string[]): string {
  return needsTrust(declared)
    ? `was changed after it was trusted (${files.join(", ")}); review it with \`hookline trust\`, then start a new session`
    : `was changed during this session (${files.join(", ")}); review the change, then start a new session`;
}

function withdrawnReason(hook: HookDeclaration): string {
  return needsTrust(hook)
    ? `was changed or removed at ${formatPlace(hook.place)} after it was trusted`
    : `was changed, removed or switched off at ${formatPlace(hook.place)} during this session`;
}
