#!/usr/bin/env node
// In the repository, so that npm can link it before anything is built.
import "../bundle/cli.js";
