#!/usr/bin/env node
// In the repository, so that npm can link it before anything is built. CommonJS, since Node takes longer to start ES modules.
require("../bundle/start.cjs");
