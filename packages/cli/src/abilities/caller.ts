import { userInfo } from "node:os";

export const SOURCES = ["ai_session", "background_job", "ci_pipeline", "manual_cli"] as const;
export type InvocationSource = (typeof SOURCES)[number];

/** The caller of an ability, in the form that hooks receive. */
export interface Caller {
  readonly source: InvocationSource;
  readonly session_id?: string;
  readonly job_id?: string;
  readonly triggered_by?: string;
}

export interface CallerFacts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The process has a controlling terminal, even if its streams are redirected. */
  readonly hasTerminal: boolean;
  /** The user's login name, if the system knows it. */
  readonly user: string | undefined;
}

/** CI systems: a variable that each sets, and those that identify the job. */
const PIPELINES: readonly (readonly [isThere: string, ...job: string[]])[] = [
  ["GITHUB_ACTIONS", "GITHUB_RUN_ID", "GITHUB_JOB"],
  ["GITLAB_CI", "CI_JOB_ID"],
  ["BUILDKITE", "BUILDKITE_JOB_ID"],
  ["CIRCLECI", "CIRCLE_WORKFLOW_JOB_ID"],
  ["JENKINS_URL", "BUILD_TAG"],
  ["TF_BUILD", "BUILD_BUILDID"],
  ["TEAMCITY_VERSION", "BUILD_NUMBER"],
  ["TRAVIS", "TRAVIS_JOB_ID"],
  ["BITBUCKET_BUILD_NUMBER", "BITBUCKET_BUILD_NUMBER"],
  ["DRONE", "DRONE_BUILD_NUMBER"],
  ["CI"],
];

/** Detects the caller from the environment. Checks for an agent's session first, because an agent may run in a pipeline. */
export function detectCaller({ env, hasTerminal, user }: CallerFacts): Caller {
  const by = user === undefined ? {} : { triggered_by: user };
  if (isInSession(env)) {
    return { source: "ai_session", ...named("session_id", env.HOOKLINE_SESSION_ID), ...by };
  }
  const pipeline = PIPELINES.find(([variable]) => isSet(env[variable]));
  if (pipeline) {
    const [, ...variables] = pipeline;
    const job = variables.flatMap((variable) => env[variable] || []).join("/");
    return { source: "ci_pipeline", ...named("job_id", job), ...by };
  }
  if (hasTerminal) return { source: "manual_cli", ...by };
  return { source: "background_job", ...named("job_id", env.INVOCATION_ID), ...by };
}

/** Whether a tool of an agent started this process. */
export function isInSession(env: CallerFacts["env"]): boolean {
  return isSet(env.HOOKLINE_SESSION_ID) || env.HOOKLINE === "1";
}

export function currentUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined; // a user id without an entry, as containers have them
  }
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value.toLowerCase() !== "false";
}

function named<Name extends string>(name: Name, value: string | undefined): { readonly [Key in Name]?: string } {
  const none: { readonly [Key in Name]?: string } = {};
  return value ? { ...none, [name]: value } : none;
}
