const CTRL_C = { sequence: "\u0003", name: "c", ctrl: true, meta: false, shift: false } as const;

/**
 * A question at a terminal whose input ends (Ctrl-D, or a terminal that is gone) is never answered by itself: the lines below it are
 * closed, and nothing tells it. It is told that Ctrl-C was pressed, which takes it off the screen.
 */
export async function cancelledAtEnd<Answer>(input: NodeJS.ReadStream, ask: () => Promise<Answer>): Promise<Answer> {
  let isOpen = true;
  // Who reads lines pauses the input when done, also after an answer; that has arrived by then.
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
