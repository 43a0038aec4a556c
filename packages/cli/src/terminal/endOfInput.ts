const CTRL_C = { sequence: "\u0003", name: "c", ctrl: true, meta: false, shift: false } as const;

/**
 * If the input of a terminal ends (Ctrl-D, or the terminal is gone), a prompt never resolves: its line reader closes without an
 * event for it. This sends the prompt a Ctrl-C, which cancels it and removes it from the screen.
 */
export async function cancelledAtEnd<Answer>(input: NodeJS.ReadStream, ask: () => Promise<Answer>): Promise<Answer> {
  let isOpen = true;
  // The line reader pauses the input at its end, and also after an answer, which has then arrived.
  const onPause = () => {
    setImmediate(() => {
      if (isOpen) input.emit("keypress", CTRL_C.sequence, CTRL_C);
    });
  };
  input.on("pause", onPause);
  try {
    return await ask();
  } finally {
    isOpen = false;
    input.off("pause", onPause);
  }
}
