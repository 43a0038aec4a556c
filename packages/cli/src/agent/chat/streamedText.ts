import { visibleLines } from "../../terminal/visible.ts";

/** Escapes streamed text for the terminal. Holds back an incomplete sequence until the rest arrives. */
export class StreamedText {
  #rest = "";

  add(piece: string): string {
    const text = this.#rest + piece;
    const end = /[\r\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
    this.#rest = text.slice(end);
    return harmless(text.slice(0, end));
  }

  end(): string {
    const rest = this.#rest;
    this.#rest = "";
    return harmless(rest);
  }
}

function harmless(text: string): string {
  return visibleLines(text).join("\n");
}
