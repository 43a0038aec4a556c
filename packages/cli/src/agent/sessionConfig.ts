import { type LoadedSettings, SettingsConfig, type SettingsConfigOptions } from "@hookline/engine";

/** The hooks' view of a session. `/clear` begins another session in the same program, with the same hooks. */
export class SessionConfig extends SettingsConfig {
  #session = { id: "", transcriptPath: "" };
  #first: LoadedSettings | undefined;

  /** Reads the settings once, for the program and for the start of the hooks. */
  static async open(options: SettingsConfigOptions): Promise<{ config: SessionConfig; loaded: LoadedSettings }> {
    const config = new SessionConfig(options);
    const loaded = await config.loadSettings();
    config.#first = loaded;
    return { config, loaded };
  }

  begin(id: string, path: string): void {
    this.#session = { id, transcriptPath: path };
  }

  override getSessionId(): string {
    return this.#session.id;
  }

  override getTranscriptPath(): string {
    return this.#session.transcriptPath;
  }

  override async loadSettings(): Promise<LoadedSettings> {
    const first = this.#first;
    this.#first = undefined;
    return first ?? super.loadSettings();
  }
}
