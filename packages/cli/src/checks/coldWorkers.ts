import { EVENTS, type EventCatalog } from "@hookline/engine";
import type { HookDeclaration, Problem } from "@hookline/engine/program";

const catalog: EventCatalog = EVENTS;
const isWorker = ({ type, off }: HookDeclaration) => type === "worker" && off === undefined;

/** A worker that is started for one event and then waits in vain for a second. */
export function coldWorkers(hook: HookDeclaration): readonly Problem[] {
  const { eventName, name, place: where } = hook;
  if (!isWorker(hook) || !catalog[eventName]?.rare) return [];
  const what = `"${name}" is a worker, and ${eventName} fires once or twice in a session: keeping it warm gains nothing.`;
  return [{ severity: "warning", code: "CONFIG_DOUBTFUL", where, what, next: 'Write "type": "command".' }];
}

/** What people should know who declare workers, and need not change. */
export function workerNote(hooks: readonly HookDeclaration[]): readonly string[] {
  const count = hooks.filter(isWorker).length;
  if (count === 0) return [];
  const these = count === 1 ? "1 worker hook is" : `${count} worker hooks are`;
  return [
    `${these} started by the first event: a one-shot command such as hookline fire pays for the start every time.`,
  ];
}
