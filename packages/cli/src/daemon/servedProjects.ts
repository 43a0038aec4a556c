import { findProjectRoot, TrustStore } from "@hookline/engine/program";
import { type ServedOptions, ServedProject } from "./servedProject.ts";

const MOST_PROJECTS = 32;
const MOST_SESSIONS = 1_000;
/** How long what was seen on the disk counts as now. */
const LOOK_MS = 100;
const MOST_LOOKS = 100;

export interface Where {
  /** A real path. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** The agent's session, empty if it names none. What a person trusted after it began is not for it. */
  readonly session: string;
  /** Trust what is there: said when hookline was installed, at the user's or an administrator's level. */
  readonly trustProject: boolean;
}

type Shared = Pick<ServedOptions, "homeDir" | "systemFile" | "protects" | "onNotice"> & {
  readonly trust: (root: string) => ServedOptions["trust"];
};

interface Slot {
  readonly root: string;
  /** What the person trusted when it was opened. */
  readonly trusted: string;
  readonly trustProject: boolean;
  readonly opening: Promise<ServedProject>;
  served: ServedProject | undefined;
}

interface Look {
  readonly root: string;
  readonly trusted: string;
  readonly at: number;
}

/** The projects that are kept warm: one for each root, or more if their sessions have environments that hooks must not mix up. */
export class ServedProjects {
  readonly #shared: Shared;
  readonly #onOpen: (served: ServedProject) => void;
  #slots: readonly Slot[] = [];
  readonly #bySession = new Map<string, Slot>();
  readonly #looks = new Map<string, Look>();

  constructor(shared: Shared, onOpen: (served: ServedProject) => void) {
    this.#shared = shared;
    this.#onOpen = onOpen;
  }

  get all(): readonly ServedProject[] {
    return this.#slots.flatMap(({ served }) => served ?? []);
  }

  /** Runs a call with the hooks of its folder. They stay as they are until it ends, whatever is closed meanwhile. */
  async use<Result>(where: Where, call: (served: ServedProject) => Promise<Result>): Promise<Result> {
    const served = await this.#served(where);
    served.calls++;
    served.usedAt = performance.now();
    try {
      return await call(served);
    } finally {
      served.calls--;
    }
  }

  async close(): Promise<void> {
    const slots = this.#slots;
    this.#slots = [];
    await Promise.allSettled(slots.map(async ({ opening }) => (await opening).project.close()));
  }

  async #served(where: Where): Promise<ServedProject> {
    const { root, trusted: trustedNow } = this.#look(where.folder);
    const session = where.session === "" ? undefined : JSON.stringify([root, where.session, where.trustProject]);
    const began = session === undefined ? undefined : this.#bySession.get(session);
    const trusted = began?.trusted ?? trustedNow;
    const slot = (await this.#find(root, trusted, where)) ?? this.#open(root, trusted, where);
    if (session !== undefined) this.#remember(session, slot);
    return slot.opening;
  }

  /** The project of a folder. Many calls at once look once. */
  #look(folder: string): Look {
    const known = this.#looks.get(folder);
    if (known && performance.now() - known.at < LOOK_MS) return known;
    const { homeDir } = this.#shared;
    const { root } = findProjectRoot(folder, homeDir);
    const look = { root, trusted: new TrustStore(homeDir).stamp(root), at: performance.now() };
    if (this.#looks.size >= MOST_LOOKS) this.#looks.clear();
    this.#looks.set(folder, look);
    return look;
  }

  async #find(root: string, trusted: string, { env, trustProject }: Where): Promise<Slot | undefined> {
    for (const slot of this.#slots) {
      const isSame = slot.root === root && slot.trusted === trusted && slot.trustProject === trustProject;
      if (isSame && (await slot.opening).fits(env)) return slot;
    }
    return undefined;
  }

  #remember(session: string, slot: Slot): void {
    this.#bySession.delete(session);
    this.#bySession.set(session, slot);
    const [oldest] = this.#bySession.keys();
    if (this.#bySession.size > MOST_SESSIONS && oldest !== undefined) this.#bySession.delete(oldest);
  }

  #open(root: string, trusted: string, { folder, env, trustProject }: Where): Slot {
    const { trust, ...shared } = this.#shared;
    const opening = ServedProject.open({ ...shared, folder, root, env, trust: trustProject ? "all" : trust(root) });
    const slot: Slot = { root, trusted, trustProject, opening, served: undefined };
    this.#slots = [...this.#slots, slot];
    opening.then(
      (served) => {
        slot.served = served;
        this.#onOpen(served);
        this.#closeOldest();
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
    if (!oldest) return;
    this.#forget(oldest);
    oldest.served?.project.close().catch(() => {});
  }
}
