import { expect, test } from "vitest";
import { scrubEnvironment } from "../../src/process/scrubEnvironment.ts";

const CREDENTIALS = `
  API_KEY APIKEY TOKEN SECRET GEMINI_API_KEY OPENAI_APIKEY DEPLOY_PRIVATE_KEY STRIPE_SECRET_KEY SECRET_KEY_BASE
  GITHUB_TOKEN NPM_TOKEN GH_PAT AZURE_CLIENT_SECRET npm_config_//registry.npmjs.org/:_authToken NPM_CONFIG__AUTH
  npm_config__auth NPM_CONFIG__AUTHTOKEN REGISTRY_AUTH SESSION_JWT
  PGPASSWORD DB_PASSWORD MYSQL_PWD DB_PASSWORD_PROD ROOT_PASSWD SMTP_PASS SSH_PASSPHRASE
  GOOGLE_APPLICATION_CREDENTIALS AWS_ACCESS_KEY_ID AWS_SESSION_TOKEN AWS_PROFILE
  DATABASE_URL PROD_DATABASE_URL SENTRY_DSN MONGO_URI MONGODB_URI REDIS_URL POSTGRES_URL
  AZURE_STORAGE_CONNECTION_STRING SLACK_WEBHOOK_URL github_token Db_Password
`
  .trim()
  .split(/\s+/);

const HARMLESS = `
  PATH HOME PWD OLDPWD LANG SSH_AUTH_SOCK SSH_ASKPASS GIT_ASKPASS XAUTHORITY GIT_AUTHOR_NAME KEYBOARD MONKEY HOTKEY
  TOKENIZERS_PARALLELISM SECRETARY SSL_CERT_FILE NODE_EXTRA_CA_CERTS HTTPS_PROXY KUBECONFIG NODE_ENV PATTERN COMPASS
  npm_config_cache GEMINI_PROJECT_DIR HOOKLINE_EVENT
`
  .trim()
  .split(/\s+/);

function environment(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `value of ${name}`]));
}

test("credentials are withheld by their names and everything else passes", () => {
  const { env, withheld } = scrubEnvironment(environment([...CREDENTIALS, ...HARMLESS]), []);
  expect(env).toEqual(environment(HARMLESS));
  expect(withheld).toEqual([...CREDENTIALS].sort());
});

test("a name that is allowed passes, exactly as it is spelled", () => {
  const parent = environment(["GITHUB_TOKEN", "github_token", "PATH"]);
  expect(scrubEnvironment(parent, ["GITHUB_TOKEN", "ABSENT"])).toEqual({
    env: environment(["GITHUB_TOKEN", "PATH"]),
    withheld: ["github_token"],
  });
});

test("what is not set is neither passed nor withheld, and the parent stays as it was", () => {
  const parent = { PATH: "/bin", GONE: undefined, API_KEY: undefined, MY_TOKEN: "t" };
  expect(scrubEnvironment(parent, [])).toEqual({ env: { PATH: "/bin" }, withheld: ["MY_TOKEN"] });
  expect(parent).toEqual({ PATH: "/bin", GONE: undefined, API_KEY: undefined, MY_TOKEN: "t" });
});
