// node shortLivedDaemon.mjs <home folder> <idle ms>: the daemon, with less patience.
import { Daemon } from "../../../dist/daemon/daemon.js";

const [homeDir, idleMs] = process.argv.slice(2);
const daemon = await Daemon.start({
  homeDir,
  version: "1.0.0",
  idleMs: Number(idleMs),
  isOutdated: () => false,
  onNotice: (text) => process.stderr.write(`${text}\n`),
});
process.stdout.write("listens\n");
await daemon?.ended;
