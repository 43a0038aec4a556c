/** The part of an `AbortSignal` that running a process uses. */
export interface AbortSource {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}
