import type { Io } from "../../terminal/io.ts";
import { visibleLines } from "../../terminal/visible.ts";
import type { AgentEvent } from "../agentEvent.ts";
import { statusView } from "../output/statusView.ts";
import type { Screen } from "./screen.ts";
import { StreamedText } from "./streamedText.ts";

/** Shows the events of a session: answers as they arrive, everything else as lines. */
export class ChatView {
  readonly #io: Io;
  readonly #screen: Screen;
  #answer: StreamedText | undefined;

  constructor(io: Io, screen: Screen) {
    this.#io = io;
    this.#screen = screen;
  }

  observe(event: AgentEvent): void {
    switch (event.type) {
      case "text":
        this.#stream(event.text);
        return;
      case "answer":
        this.#finish();
        if (!event.wasStreamed) this.#say(event.text);
        return;
      case "retracted":
        this.#finish();
    }
    this.#screen.lines(statusView(event, this.#io));
  }

  #stream(text: string): void {
    if (!this.#answer) this.#screen.gap();
    this.#answer ??= new StreamedText();
    this.#screen.text(this.#answer.add(text));
  }

  #finish(): void {
    this.#screen.text(this.#answer?.end() ?? "");
    this.#answer = undefined;
    this.#screen.endLine();
  }

  #say(text: string): void {
    this.#screen.gap();
    this.#screen.lines(visibleLines(text));
  }
}
