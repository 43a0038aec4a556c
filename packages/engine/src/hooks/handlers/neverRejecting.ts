import type { HookHandler } from "./handler.ts";

/** Wraps a kind of the embedding program: its exceptions and rejections become failures of the hook. */
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
