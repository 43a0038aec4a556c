import { processIo } from "./processIo.ts";
import { run } from "./program.ts";

const io = processIo();
run(process.argv.slice(2), io).then((code) => {
  // Not process.exit(): what was written to a pipe must still arrive.
  process.exitCode = code;
  // Told to end, it ends, whatever may still hold it.
  if (io.signal.aborted) setTimeout(() => process.exit(), 300).unref();
});
