import { findProjectRoot, TrustStore, withoutLoaders } from "@hookline/engine/program";
import { type ServedOptions, ServedProject } from "./servedProject.ts";

const MOST_PROJECTS = 32;
const MOST_SESSIONS = 1_000;
/** How long a look-up of a folder's project counts. */
const ROOT_CACHE_MS = 100;
const MOST_LOOKUPS = 100;

/** Where a call comes from. */
export interface CallPlace {
  /** A real path. */
  readonly folder: string;
  /** As the agent passed it on. */
  readonly env: Readonly<Record<string, string>>;
  /** The agent's session, empty if it names none. Trust given after it began does not apply to it. */
  readonly session: string;
  /** The session starts here, or goes on here. */
  readonly isStart: boolean;
  /** The project of the session, if an earlier daemon knew it. */
  readonly knownRoot: () => string | undefined;
  /** From `install --trust-project`. */
  readonly trustProject: boolean;
}

/** The hooks for a call, and the environment of its session. */
export interface Served {
  readonly served: ServedProject;
  readonly env: Readonly<Record<string, string>>;
}

type Shared = Pick<ServedOptions, "homeDir" | "systemFile" | "protects" | "onNotice"> & {
  readonly trust: (root: string) => ServedOptions["trust"];
};

/** What a session began with. */
interface Session {
  readonly root: string;
  readonly trusted: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Slot {
  readonly root: string;
  /** What the person trusted when it was opened. */
  readonly trusted: string;
  readonly trustProject: boolean;
  readonly opening: Promise<ServedProject>;
  served: ServedProject | undefined;
}

interface Events {
  readonly onOpen: (served: ServedProject) => void;
  readonly onClose: (served: ServedProject) => void;
}

interface RootLookup {
  readonly root: string;
  readonly trusted: string;
  readonly at: number;
}

/** The projects that are kept warm: one for each root, or more if their sessions have environments that hooks must not mix up. */
export class ServedProjects {
  readonly #shared: Shared;
  readonly #events: Events;
  #slots: readonly Slot[] = [];
  readonly #sessions = new Map<string, Session>();
  readonly #lookups = new Map<string, RootLookup>();

  constructor(shared: Shared, events: Events) {
    this.#shared = shared;
    this.#events = events;
  }

  get all(): readonly ServedProject[] {
    return this.#slots.flatMap(({ served }) => served ?? []);
  }

  /** Runs a call with the hooks of its folder. They stay as they are until it ends, whatever is closed meanwhile. */
  async use<Result>(place: CallPlace, call: (of: Served) => Promise<Result>): Promise<Result> {
    const session = this.#sessionOf(place);
    const slot = (await this.#find(session, place)) ?? this.#open(session, place);
    const served = await slot.opening;
    served.calls++;
    served.usedAt = performance.now();
    try {
      return await call({ served, env: session.env });
    } finally {
      served.calls--;
      this.#closeOldest();
    }
  }

  async close(): Promise<void> {
    const slots = this.#slots;
    this.#slots = [];
    await Promise.allSettled(slots.map(async ({ opening }) => (await opening).project.close()));
  }

  /** A session keeps the project, the trust and the environment that it began with: an agent can change its folder, and make a project there. */
  #sessionOf(place: CallPlace): Session {
    const key = place.session === "" ? undefined : JSON.stringify([place.session, place.trustProject]);
    const known = key === undefined ? undefined : this.#sessions.get(key);
    const before = place.isStart ? undefined : (known?.root ?? (key === undefined ? undefined : place.knownRoot()));
    const { root, trusted } = this.#lookUp(before ?? place.folder, before !== undefined);
    const fresh = { root, trusted, env: known?.env ?? withoutLoaders(place.env) };
    const session = known?.root === root ? known : fresh;
    if (key !== undefined) this.#remember(key, session);
    return session;
  }

  /** The project of a folder. Many calls at once look once. */
  #lookUp(folder: string, isRoot: boolean): RootLookup {
    const known = this.#lookups.get(folder);
    if (known && performance.now() - known.at < ROOT_CACHE_MS) return known;
    const { homeDir } = this.#shared;
    const root = isRoot ? folder : findProjectRoot(folder, homeDir).root;
    const found = { root, trusted: new TrustStore(homeDir).stamp(root), at: performance.now() };
    if (this.#lookups.size >= MOST_LOOKUPS) this.#lookups.clear();
    this.#lookups.set(folder, found);
    return found;
  }

  async #find({ root, trusted, env }: Session, { trustProject }: CallPlace): Promise<Slot | undefined> {
    for (const slot of this.#slots) {
      const isSame = slot.root === root && slot.trusted === trusted && slot.trustProject === trustProject;
      if (isSame && (await slot.opening).fits(env)) return slot;
    }
    return undefined;
  }

  #remember(key: string, session: Session): void {
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
  }

  #open({ root, trusted, env }: Session, { trustProject }: CallPlace): Slot {
    const { trust, ...shared } = this.#shared;
    const options = { ...shared, folder: root, root, env, trust: trustProject ? ("all" as const) : trust(root) };
    const opening = ServedProject.open(options);
    const slot: Slot = { root, trusted, trustProject, opening, served: undefined };
    this.#slots = [...this.#slots, slot];
    opening.then(
      (served) => {
        slot.served = served;
        this.#events.onOpen(served);
      },
      // Not kept: the next call reads the settings again.
      () => this.#forget(slot),
    );
    return slot;
  }

  #forget(slot: Slot): void {
    this.#slots = this.#slots.filter((one) => one !== slot);
  }

  #closeOldest(): void {
    if (this.#slots.length <= MOST_PROJECTS) return;
    const idle = this.#slots.filter(({ served }) => served?.calls === 0);
    const [oldest] = idle.toSorted((a, b) => (a.served?.usedAt ?? 0) - (b.served?.usedAt ?? 0));
    if (!oldest?.served) return;
    this.#forget(oldest);
    this.#events.onClose(oldest.served);
    oldest.served.project.close().catch(() => {});
  }
}
