interface Group {
  leaderExited: boolean;
  killTimer?: NodeJS.Timeout;
}

/**
 * The live process groups of one hook system. Those still in here when the embedding process ends are killed;
 * a group that was deleted is let be.
 */
export class ProcessGroups {
  readonly #groups = new Map<number, Group>();

  get size(): number {
    return this.#groups.size;
  }

  /** `pid` leads its own group (`detached`), so its number is the group's. */
  add(pid: number): void {
    this.#groups.set(pid, { leaderExited: false });
    watchProcessExit(this);
  }

  delete(pid: number): void {
    clearTimeout(this.#groups.get(pid)?.killTimer);
    this.#groups.delete(pid);
    if (this.#groups.size === 0) watched.delete(this);
  }

  /** SIGTERM now, SIGKILL after `graceMs` unless the group is gone by then; a second call changes nothing. */
  kill(pid: number, graceMs: number): void {
    const group = this.#groups.get(pid);
    if (!group || group.killTimer) return;
    signalGroup(pid, "SIGTERM");
    // Escalate on a timer, never on `child.killed`: it turns true when a signal is sent, not when the child is gone.
    group.killTimer = setTimeout(() => this.#killNow(pid, group), graceMs).unref();
  }

  /** To be called when the leader has been reaped: from then on its number is ours only while the group has members. */
  leaderExited(pid: number): void {
    const group = this.#groups.get(pid);
    if (!group) return;
    group.leaderExited = true;
    if (!groupExists(pid)) this.delete(pid);
  }

  killAll(): void {
    for (const [pid, group] of this.#groups) this.#killNow(pid, group);
  }

  dispose(): void {
    this.killAll();
    stopListeningIfIdle();
  }

  #killNow(pid: number, group: Group): void {
    // Once the leader is reaped, a process of that number can only be a stranger who was given it after the group had gone.
    if (!group.leaderExited || !exists(pid)) signalGroup(pid, "SIGKILL");
    this.delete(pid);
  }
}

export function groupExists(pid: number): boolean {
  return exists(-pid);
}

function exists(pidOrGroup: number): boolean {
  // "No" comes as an exception, and this is asked after every hook: without a stack trace it costs half as much.
  const limit = Error.stackTraceLimit;
  Reflect.set(Error, "stackTraceLimit", 0);
  try {
    return process.kill(pidOrGroup, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  } finally {
    Reflect.set(Error, "stackTraceLimit", limit);
  }
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // gone already, or no longer ours to signal
  }
}

// One listener for all hook systems: Node warns about a leak when many listen for themselves. It stays while groups come
// and go, since to add and remove it for each would be felt in the time a small hook takes.
const watched = new Set<ProcessGroups>();
let listening = false;

function killWatched(): void {
  for (const groups of watched) groups.killAll();
}

function watchProcessExit(groups: ProcessGroups): void {
  watched.add(groups);
  if (listening) return;
  // First: a listener of the embedding process may end it for good.
  process.prependListener("exit", killWatched);
  listening = true;
}

function stopListeningIfIdle(): void {
  if (watched.size > 0) return;
  process.off("exit", killWatched);
  listening = false;
}
