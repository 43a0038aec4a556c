import { EVENTS, type EventCatalog } from "@hookline/engine";
import type { HookDeclaration, Problem } from "@hookline/engine/program";

const catalog: EventCatalog = EVENTS;
const isWorker = ({ type, off }: HookDeclaration) => type === "worker" && off === undefined;

/** Reports a worker on an event that fires once or twice per session. */
export function coldWorkers(hook: HookDeclaration): readonly Problem[] {
  const { eventName, name, place: where } = hook;
  if (!isWorker(hook) || !catalog[eventName]?.rare) return [];
  const what = `"${name}" is a worker, but ${eventName} fires once or twice per session: keeping it warm does not help.`;
  return [{ severity: "warning", code: "CONFIG_DOUBTFUL", where, what, next: 'Write "type": "command".' }];
}

/** A note for authors of workers, which requires no change. */
export function workerNote(hooks: readonly HookDeclaration[]): readonly string[] {
  const count = hooks.filter(isWorker).length;
  if (count === 0) return [];
  const these = count === 1 ? "1 worker hook starts" : `${count} worker hooks start`;
  return [`${these} at the first event: a one-shot command such as hookline fire pays for the start every time.`];
}
