/** Sends a signal to a group. */
export type SendSignal = (name: NodeJS.Signals) => void;

interface Group {
  readonly send: SendSignal;
  leaderExited: boolean;
  killTimer?: NodeJS.Timeout;
}

/**
 * The live process groups of one hook system. When the embedding process exits, the groups still in here are killed;
 * deleted groups are left alone.
 */
export class ProcessGroups {
  readonly #groups = new Map<number, Group>();

  get size(): number {
    return this.#groups.size;
  }

  /** `pid` leads its own group (`detached`), so it is also the group's id. `send` is for a leader that another process reaps. */
  add(pid: number, send: SendSignal = (name) => signalGroup(pid, name)): void {
    this.#groups.set(pid, { send, leaderExited: false });
    watchProcessExit(this);
  }

  delete(pid: number): void {
    clearTimeout(this.#groups.get(pid)?.killTimer);
    this.#groups.delete(pid);
    if (this.#groups.size === 0) watched.delete(this);
  }

  /** Sends SIGTERM now, and SIGKILL after `graceMs` unless the group is gone by then; a second call changes nothing. */
  kill(pid: number, graceMs: number): void {
    const group = this.#groups.get(pid);
    if (!group || group.killTimer) return;
    group.send("SIGTERM");
    // Escalate on a timer, never on `child.killed`: it turns true when a signal is sent, not when the child is gone.
    group.killTimer = setTimeout(() => this.#killNow(pid, group), graceMs).unref();
  }

  /**
   * Call it when the leader has been reaped: from then on its pid is ours only while the group has members. Returns whether it
   * has any: orphaned children.
   */
  leaderExited(pid: number): boolean {
    const group = this.#groups.get(pid);
    if (!group) return false;
    group.leaderExited = true;
    const hasMembers = groupExists(pid);
    if (!hasMembers) this.delete(pid);
    return hasMembers;
  }

  killAll(): void {
    for (const [pid, group] of this.#groups) this.#killNow(pid, group);
  }

  dispose(): void {
    this.killAll();
    stopListeningIfIdle();
  }

  #killNow(pid: number, group: Group): void {
    // Once the leader is reaped, a process with its pid is unrelated: it got the pid after the group was gone.
    if (!group.leaderExited || !exists(pid)) group.send("SIGKILL");
    this.delete(pid);
  }
}

export function groupExists(pid: number): boolean {
  return exists(-pid);
}

function exists(pidOrGroup: number): boolean {
  // A "no" is thrown, and this is checked after every hook: without a stack trace it costs half as much.
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

export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // already gone, or we may no longer signal it
  }
}

// One listener for all hook systems: Node warns about a leak when there are many. It stays while groups come
// and go: adding and removing it for each group would slow down small hooks.
const watched = new Set<ProcessGroups>();
let listening = false;

function killWatched(): void {
  for (const groups of watched) groups.killAll();
}

function watchProcessExit(groups: ProcessGroups): void {
  watched.add(groups);
  if (listening) return;
  // First in line: a listener of the embedding process may end it immediately.
  process.prependListener("exit", killWatched);
  listening = true;
}

function stopListeningIfIdle(): void {
  if (watched.size > 0) return;
  process.off("exit", killWatched);
  listening = false;
}
