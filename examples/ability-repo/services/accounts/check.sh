#!/bin/sh
# The check of this component, for people, pipelines and the hook at the end of a session.
cd "$(dirname "$0")" && exec node --test --test-reporter=spec test/signup.test.js
