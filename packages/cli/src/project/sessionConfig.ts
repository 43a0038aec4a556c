import { SettingsConfig, type SettingsConfigOptions } from "@hookline/engine";
import type { LoadedSettings } from "@hookline/engine/program";
import { endAtOnce } from "../terminal/endAtOnce.ts";

/** The session that the event in progress belongs to. */
export interface SessionOfEvent {
  readonly id: string;
  readonly workingDir: string;
  /** For its command hooks; undefined: the program's own. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

interface SessionOptions extends SettingsConfigOptions {
  /** Several sessions share the hooks. */
  readonly session?: () => SessionOfEvent | undefined;
}

/** The hooks' view of a session. `/clear` begins another session in the same program, with the same hooks. */
export class SessionConfig extends SettingsConfig {
  readonly #sessionOfEvent: () => SessionOfEvent | undefined;
  #session: { readonly id: string; readonly transcriptPath: string } | undefined;
  #hasRead = false;

  constructor({ session = () => undefined, ...options }: SessionOptions) {
    super({ ...options, eventEnv: () => session()?.env });
    this.#sessionOfEvent = session;
  }

  begin(id: string, transcriptPath: string): void {
    this.#session = { id, transcriptPath };
  }

  override getSessionId(): string {
    return this.#sessionOfEvent()?.id ?? this.#session?.id ?? super.getSessionId();
  }

  override getWorkingDir(): string {
    return this.#sessionOfEvent()?.workingDir ?? super.getWorkingDir();
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
