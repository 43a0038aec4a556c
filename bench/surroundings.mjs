import { accessSync, closeSync, constants, openSync, readSync } from "node:fs";
import { delimiter, join } from "node:path";

/** What would make figures useless, with what to do about it; undefined where nothing does. */
export function unfit({ PATH = "", NODE_EXTRA_CA_CERTS }) {
  if (NODE_EXTRA_CA_CERTS) {
    return "NODE_EXTRA_CA_CERTS is set: it adds about 50 ms to every start of Node. Unset it: env -u NODE_EXTRA_CA_CERTS npm run bench";
  }
  const python = found("python3", PATH.split(delimiter));
  if (python === undefined || !isScript(python)) return undefined;
  return `${python} is a script that starts another python3, at every start of a hook. Put the folder of the real one first: PATH=/usr/bin:$PATH npm run bench`;
}

function found(program, folders) {
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isScript(path) {
  const file = openSync(path, "r");
  try {
    const start = Buffer.alloc(2);
    readSync(file, start, 0, 2, 0);
    return start.toString() === "#!";
  } finally {
    closeSync(file);
  }
}
