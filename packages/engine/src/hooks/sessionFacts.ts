import type { Config } from "./config.ts";
import { debug } from "./debugLine.ts";

export type SessionFacts = Pick<Config, "getSessionId" | "getWorkingDir" | "getTranscriptPath">;

/** What the embedder says about the session. A callback that throws, or returns no text, must not keep hooks from running. */
export function sessionFacts(config: Config, projectRoot: string): SessionFacts {
  return {
    getSessionId: () => textOf(() => config.getSessionId(), ""),
    getWorkingDir: () => textOf(() => config.getWorkingDir(), projectRoot),
    getTranscriptPath: () => textOf(() => config.getTranscriptPath(), ""),
  };
}

function textOf(read: () => unknown, otherwise: string): string {
  try {
    const text = read();
    if (typeof text === "string") return text;
    debug("a callback of the config returned no text");
  } catch (error) {
    debug("a callback of the config failed: %s", error);
  }
  return otherwise;
}
