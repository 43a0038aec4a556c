// Denies `git push --force`, `-f` and `+branch`. `--force-with-lease` may pass: it does not overwrite commits of others.
import { readFileSync } from "node:fs";

const { tool_input } = JSON.parse(readFileSync(0, "utf8"));
const forced = /\bgit\b[^;&|]*\bpush\b[^;&|]*\s(-f\b|--force(?!-)|\+)/;

if (forced.test(tool_input.command)) {
  console.log(
    JSON.stringify({ decision: "deny", reason: "Force pushes rewrite what others have. Push a new commit." }),
  );
}
