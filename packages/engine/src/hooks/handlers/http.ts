import type { EngineOptions } from "../../config/values/options.ts";
import type { Ending } from "../answer/ending.ts";
import type { HookRegistryEntry } from "../plan/hookRegistry.ts";
import type { HookHandler, HookRun, Services } from "./handler.ts";
import { type Endpoint, HttpCall } from "./httpCall.ts";
import { keptConnections } from "./httpConnections.ts";
import { endpointOf } from "./httpEndpoint.ts";
import { checkedHeaders } from "./httpHeaders.ts";
import { checkedUrl, fields, schema, unmet } from "./httpTarget.ts";

/** Posts the input to an endpoint that answers with a JSON object. */
export const httpHandler: HookHandler = {
  kind: {
    type: "http",
    yamlKind: "http",
    fields,
    ignores: ["env"],
    unmet,
    resolve(given) {
      const parsed = schema().parse(given);
      const url = checkedUrl(parsed.url).href;
      const headers = checkedHeaders(parsed.headers ?? {});
      const names = Object.keys(headers);
      const identity = JSON.stringify([url, ...names.toSorted().map((name) => [name, headers[name]])]);
      return { fields: names.length === 0 ? { url } : { url, headers }, identity, files: [], uncovered: [url] };
    },
  },
  start(services) {
    const connections = keptConnections();
    const prepared = new WeakMap<HookRegistryEntry, Prepared>();
    return {
      run(run) {
        const options = services.getOptions();
        const known = prepared.get(run.hook);
        if (known?.options === options) return post(known.endpoint, run, services);
        const variable = (name: string) => services.environment.variable(name);
        return endpointOf(run.hook.config, { options, variable, connections }).then(
          (endpoint) => {
            prepared.set(run.hook, { options, endpoint });
            return post(endpoint, run, services);
          },
          (cause: Error) => ({ kind: "notStarted", cause }),
        );
      },
      dispose: () => connections.close(),
    };
  },
};

const LONG_BODY = 32 * 1024;

/** An endpoint, valid while the options it was checked against are the same. */
interface Prepared {
  readonly options: EngineOptions;
  readonly endpoint: Endpoint;
}

function post(endpoint: Endpoint, run: HookRun, { getOptions, openRuns, slots }: Services): Promise<Ending> {
  const { value, view, signal, startedAt, limitMs: timeoutMs } = run;
  const { outputLimitBytes } = getOptions();
  const onWaited = (ms: number) => {
    run.waitedMs = ms;
  };
  const limits = { timeoutMs, startedAt, outputLimitBytes, signal, patienceMs: slots.patienceMs, onWaited };
  const [text = "", ...rest] = value.json(view);
  // Node sends a string together with the headers, but bytes after them, which wakes the other side twice.
  const body = rest.length === 0 && text.length < LONG_BODY ? text : value.bytes(view);
  return new Promise((resolve) => {
    const call = new HttpCall(endpoint, body, limits, (ending) => {
      openRuns.delete(call);
      resolve(ending);
    });
    openRuns.add(call);
    call.start();
  });
}
