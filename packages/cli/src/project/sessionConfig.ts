import { SettingsConfig } from "@hookline/engine";
import type { LoadedSettings } from "@hookline/engine/program";
import { endAtOnce } from "../terminal/endAtOnce.ts";

/** The hooks' view of a session. `/clear` begins another session in the same program, with the same hooks. */
export class SessionConfig extends SettingsConfig {
  #session: { readonly id: string; readonly transcriptPath: string } | undefined;
  #hasRead = false;

  begin(id: string, transcriptPath: string): void {
    this.#session = { id, transcriptPath };
  }

  override getSessionId(): string {
    return this.#session?.id ?? super.getSessionId();
  }

  override getTranscriptPath(): string {
    return this.#session?.transcriptPath ?? super.getTranscriptPath();
  }

  /** A signal ends the program while it starts; during a session, it ends the session. */
  override loadSettings(): Promise<LoadedSettings> {
    if (this.#hasRead) return super.loadSettings();
    this.#hasRead = true;
    return endAtOnce(() => super.loadSettings());
  }
}
