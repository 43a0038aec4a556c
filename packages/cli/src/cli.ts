#!/usr/bin/env node
import { processIo } from "./io.ts";
import { run } from "./program.ts";

// Not process.exit(): what was written to a pipe must still arrive.
process.exitCode = await run(process.argv.slice(2), processIo());
