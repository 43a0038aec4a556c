import { processIo } from "./processIo.ts";
import { run } from "./program.ts";

const io = processIo();
run(process.argv.slice(2), io).then((code) => {
  // Not process.exit(): it would drop output still buffered for a pipe.
  process.exitCode = code;
  // After an interrupt, exit even if a handle is still open.
  if (io.signal.aborted) setTimeout(() => process.exit(), 300).unref();
});
