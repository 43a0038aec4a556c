/** What a hook may want of a host. `replace` changes a result, or stands in for it. */
export const OUTCOMES = ["allow", "block", "stop", "ask", "rewrite", "context", "replace", "message"] as const;

export type OutcomeName = (typeof OUTCOMES)[number];

/** `tested`: seen with the real agent, in the version that the dialect names. `source`: read in its source. */
export type Evidence = "tested" | "source" | "documented" | "unknown";

export type Neighbour = "block" | "stop" | "person" | "context";

/** What a host does with one outcome on one event. */
export type Capability =
  | { readonly is: "yes"; readonly evidence: Evidence; readonly overriddenBy?: string }
  | {
      readonly is: "degraded";
      /** What happens instead: a stricter outcome, or only the person sees the text, or only the model does. */
      readonly to: Neighbour;
      readonly says: string;
      readonly evidence: Evidence;
      readonly overriddenBy?: string;
    }
  | { readonly is: "no"; readonly evidence: Evidence };

export type Capabilities = Readonly<Record<OutcomeName, Capability>>;

export const yes = (evidence: Evidence): Capability => ({ is: "yes", evidence });

export const no = (evidence: Evidence): Capability => ({ is: "no", evidence });

export function degraded(to: Neighbour, says: string, evidence: Evidence): Capability {
  return { is: "degraded", to, says, evidence };
}

/** Anything not named is not possible. To allow is to say nothing, which every host can do. */
export function can(named: Partial<Capabilities>): Capabilities {
  const none = no("unknown");
  return {
    allow: yes("documented"),
    block: none,
    stop: none,
    ask: none,
    rewrite: none,
    context: none,
    replace: none,
    message: none,
    ...named,
  };
}
