import { formatPlace, HooklineError } from "../../errors.ts";
import type { Problem } from "../values/problem.ts";
import type { LoadedSettings } from "./loadedSettings.ts";

/** What to do at start about unreadable settings: continue without their guards, or ask (true continues). */
export type UnreadPolicy = "ignore" | ((unread: readonly Problem[]) => boolean | Promise<boolean>);

const MOST_SHOWN = 5;

/** An unreadable file takes its guards with it, so a session does not start without consent. */
export async function refuseUnread({ unread }: LoadedSettings, policy: UnreadPolicy | undefined): Promise<void> {
  const [first] = unread;
  if (first === undefined || policy === "ignore" || (await policy?.(unread))) return;
  const next = `${first.next} To start without it: --ignore-broken-settings, or unreadSettings: "ignore" in a program.`;
  throw new HooklineError({ code: first.code, where: first.where, what: unreadText(unread), next });
}

/** The first problem in full, and the places of some more. */
function unreadText([first, ...others]: readonly Problem[]): string {
  const guards = "The guards declared there would be off.";
  const places = others.slice(0, MOST_SHOWN).map(({ where }) => formatPlace(where));
  const more = others.length - places.length;
  const list =
    others.length === 0 ? "" : ` Also unreadable: ${places.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`;
  return `${first?.what} ${guards}${list}`;
}
