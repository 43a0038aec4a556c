import type { HookHandler } from "./handler.ts";

/** A kind of the embedding program: what it throws or rejects with is a failure of the hook, as everywhere. */
export function neverRejecting(handler: HookHandler): HookHandler {
  return {
    kind: handler.kind,
    start(services) {
      const started = handler.start(services);
      return {
        async run(run) {
          try {
            return await started.run(run);
          } catch (error) {
            return { kind: "threw", error };
          }
        },
        withheldFrom: (hook) => started.withheldFrom?.(hook) ?? [],
        dispose: () => started.dispose?.(),
      };
    },
  };
}
