// Asks for a person when the arguments of an ability name configuration of production.
import { readFileSync } from "node:fs";

const { ability_id, args_summary = "" } = JSON.parse(readFileSync(0, "utf8"));

if (/\bprod(uction)?\b/.test(args_summary)) {
  const reason = `${ability_id} would change production: ${args_summary}`;
  const signal = { kind: "ability_guard", code: "ABILITY_REQUIRES_HUMAN", severity: "warning", payload: { reason } };
  console.log(JSON.stringify({ hook_signals: [signal] }));
}
