import type { TrustPolicy, TrustRequest } from "@hookline/engine";
import { formatPlace } from "@hookline/engine/program";
import { unifiedDiff } from "../terminal/unifiedDiff.ts";
import type { Broker } from "./broker.ts";
import { callInProgress } from "./servedProject.ts";

/** How long a person has: the call that asked is answered at its own deadline. */
const ASKED_FOR_MS = 10 * 60_000;

/** Code that is new needs `hookline trust`; a guard that changed while sessions run becomes a question, with the change. */
export function askAboutChangedGuards(root: string, broker: Broker): TrustPolicy {
  return async (request) => {
    if (request.reason === "new") return false;
    const question = {
      host: "hookline",
      session: "",
      folder: root,
      subject: request.hooks.map(({ name }) => name).join(", "),
      reason:
        request.reason === "changed"
          ? "was changed while sessions run"
          : "was removed or switched off while sessions run",
      details: await changesOf(request),
    };
    callInProgress()?.waitForPerson();
    const { approved } = await broker.ask(question, { withinMs: ASKED_FOR_MS, signal: NEVER });
    return approved;
  };
}

const NEVER = new AbortController().signal;

async function changesOf({ changes, hooks }: TrustRequest): Promise<string> {
  const places = hooks.map(
    ({ name, eventName, place }) => `${name} on ${eventName}, declared in ${formatPlace(place)}`,
  );
  const diffs = changes.map(({ file, before = "", after = "" }) => unifiedDiff(file, before, after));
  return [...places, ...(await Promise.all(diffs))].join("\n");
}
