import type { Config } from "./config.ts";
import { debug } from "./record/debugLine.ts";

export type SessionFacts = Pick<Config, "getSessionId" | "getWorkingDir" | "getTranscriptPath">;

/** The embedder's facts about the session. A callback that throws, or returns no text, must not keep hooks from running. */
export function sessionFacts(config: Config, projectRoot: string): SessionFacts {
  return {
    getSessionId() {
      try {
        return textOr("", config.getSessionId());
      } catch (error) {
        return failed(error, "");
      }
    },
    getWorkingDir() {
      try {
        return textOr(projectRoot, config.getWorkingDir());
      } catch (error) {
        return failed(error, projectRoot);
      }
    },
    getTranscriptPath() {
      try {
        return textOr("", config.getTranscriptPath());
      } catch (error) {
        return failed(error, "");
      }
    },
  };
}

function textOr(otherwise: string, given: unknown): string {
  if (typeof given === "string") return given;
  debug("a config callback did not return text");
  return otherwise;
}

function failed(error: unknown, otherwise: string): string {
  debug("a config callback failed: %s", error);
  return otherwise;
}
