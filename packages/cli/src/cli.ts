#!/usr/bin/env node
import { processIo } from "./io.ts";
import { run } from "./program.ts";

// Not process.exit(): what was written to a pipe must still arrive.
const io = processIo();
process.exitCode = await run(process.argv.slice(2), io);
// Told to end, it ends, whatever may still hold it.
if (io.signal.aborted) setTimeout(() => process.exit(), 300).unref();
