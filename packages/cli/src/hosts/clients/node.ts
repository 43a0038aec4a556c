import { shellCommand } from "../shellCommand.ts";
import { type ClientRow, scriptOf } from "./clientRow.ts";

export const node: ClientRow = {
  kind: "node",
  lacks: () => undefined,
  bytes: ({ homeDir, node: program, script }) =>
    // A repository may have set these through the agent: they change what Node runs, and where hookline looks for its own files.
    scriptOf([
      "#!/bin/sh",
      "unset NODE_OPTIONS NODE_PATH HOOKLINE_STATE_DIR HOOKLINE_CODE_CACHE",
      `HOME=${shellCommand([homeDir])}`,
      `exec ${shellCommand([program, script, "client", homeDir])} "$@"`,
    ]),
  note: "The client is a Node script here, not the native program: each call takes about 0.1 s, and none is answered without Node.",
};
