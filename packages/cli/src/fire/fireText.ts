import type { NamedEvent } from "../project/eventNamed.ts";
import type { OpenHooks } from "../project/openHooks.ts";
import { settingsErrorsView } from "../project/settingsErrors.ts";
import { colours } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";
import { visible } from "../terminal/visible.ts";
import type { Fired, FireRecords } from "./fireEvent.ts";
import { decisionView, hooksView, rewritesView } from "./fireView.ts";

interface FiredEvent {
  readonly event: NamedEvent;
  readonly subject: string | undefined;
  readonly fired: Fired;
  readonly records: FireRecords;
  readonly project: OpenHooks;
}

/** The text output of `fire`, once the event is decided. */
export function fireText({ event, subject, fired, records, project }: FiredEvent, io: Io): string[] {
  const { bold, dim, yellow } = colours(io);
  const notes = [...records.mergeNotes(), ...project.system.getStatus().notices];
  const title = subject === undefined ? event.name : `${event.name} ${visible(subject)}`;
  const explain = `hookline explain ${title}`;
  const quiet = fired.hooks.length === 0 && records.running === 0;
  return [
    bold(title),
    ...(quiet ? [dim(`  No hook matches; \`${explain}\` says why.`)] : hooksView(fired.hooks, io)),
    ...rewritesView(fired.result.rewrites, io),
    ...notes.map((note) => yellow(`  ! ${visible(note)}`)),
    ...settingsErrorsView(project.loaded, io),
    "",
    ...decisionView(fired, event.spec, io),
  ];
}
