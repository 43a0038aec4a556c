import { expect, test } from "vitest";
import { detectCaller } from "../../src/abilities/caller.ts";

const at = { hasTerminal: true, user: "kim" };
const away = { hasTerminal: false, user: "kim" };

test.each([
  ["a person at a shell", at, {}, { source: "manual_cli", triggered_by: "kim" }],
  ["a terminal that systemd started", at, { INVOCATION_ID: "u1" }, { source: "manual_cli", triggered_by: "kim" }],
  ["cron", away, {}, { source: "background_job", triggered_by: "kim" }],
  ["a systemd unit", away, { INVOCATION_ID: "u1" }, { source: "background_job", job_id: "u1", triggered_by: "kim" }],
  [
    "GitHub",
    away,
    { CI: "true", GITHUB_ACTIONS: "true", GITHUB_RUN_ID: "12", GITHUB_JOB: "test" },
    { source: "ci_pipeline", job_id: "12/test", triggered_by: "kim" },
  ],
  [
    "GitLab",
    away,
    { CI: "true", GITLAB_CI: "true", CI_JOB_ID: "7" },
    { source: "ci_pipeline", job_id: "7", triggered_by: "kim" },
  ],
  [
    "Jenkins",
    away,
    { JENKINS_URL: "http://ci", BUILD_TAG: "b-3" },
    { source: "ci_pipeline", job_id: "b-3", triggered_by: "kim" },
  ],
  ["a pipeline nobody knows", away, { CI: "1" }, { source: "ci_pipeline", triggered_by: "kim" }],
  ["CI switched off", at, { CI: "false" }, { source: "manual_cli", triggered_by: "kim" }],
  [
    "an agent's session",
    away,
    { HOOKLINE_SESSION_ID: "s1" },
    { source: "ai_session", session_id: "s1", triggered_by: "kim" },
  ],
  [
    "an agent in a pipeline",
    away,
    { CI: "true", HOOKLINE_SESSION_ID: "s1" },
    { source: "ai_session", session_id: "s1", triggered_by: "kim" },
  ],
  ["a command that an agent started", at, { HOOKLINE: "1" }, { source: "ai_session", triggered_by: "kim" }],
  ["a user without a name", { hasTerminal: true, user: undefined }, {}, { source: "manual_cli" }],
])("%s is told to hooks as it is", (_, facts, env, caller) => {
  expect(detectCaller({ ...facts, env })).toEqual(caller);
});
