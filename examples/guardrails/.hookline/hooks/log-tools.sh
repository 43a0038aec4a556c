#!/bin/sh
# Keeps every tool call with its result, one JSON object per line. Hooks run in the project root.

mkdir -p .hookline/log
{ cat; echo; } >> .hookline/log/tools.jsonl
