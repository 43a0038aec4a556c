import { SettingsConfig, type SettingsConfigOptions } from "@hookline/engine";
import type { LoadedSettings } from "@hookline/engine/program";
import { placeOf, type StateIo } from "@hookline/journal";
import { DECLARATION_KINDS } from "../declarations/index.ts";
import { hookStateFolder } from "../state/hookState.ts";
import { endAtOnce } from "../terminal/endAtOnce.ts";

interface SessionOptions extends SettingsConfigOptions {
  /** What decides where state is kept. */
  readonly state: StateIo;
}

/** The hooks' view of a session. `/clear` begins another session in the same program, with the same hooks. */
export class SessionConfig extends SettingsConfig {
  #session = { id: "", transcriptPath: "" };
  #first: LoadedSettings | undefined;

  /** Reads the settings once, for the program and for the start of the hooks. */
  static async open(options: SessionOptions): Promise<{ config: SessionConfig; loaded: LoadedSettings }> {
    const { state, ...others } = options;
    const config = new SessionConfig({
      declares: DECLARATION_KINDS,
      ...others,
      hookState: () => hookStateFolder(placeOf(state, loaded)),
    });
    const loaded = await endAtOnce(() => config.loadSettings());
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
