import type { ClientRow } from "./clientRow.ts";
import { lacksPrograms, type ShellScript, shellScript } from "./shellScript.ts";

const SCRIPT: ShellScript = { file: "nodeClient.sh", programs: ["base64"] };

export const node: ClientRow = {
  kind: "node",
  lacks: () => lacksPrograms(SCRIPT),
  bytes: (start) => shellScript(start, SCRIPT),
  note: "The client is a Node script here, not the native program: each call takes about 0.1 s.",
};
