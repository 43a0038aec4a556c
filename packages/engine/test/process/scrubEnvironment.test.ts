import { expect, test } from "vitest";
import { scrubEnvironment } from "../../src/process/scrubEnvironment.ts";
import { redactText } from "../../src/secrets/redact.ts";

const CREDENTIALS = `
  API_KEY APIKEY TOKEN SECRET GEMINI_API_KEY OPENAI_APIKEY DEPLOY_PRIVATE_KEY STRIPE_SECRET_KEY SECRET_KEY_BASE
  GITHUB_TOKEN NPM_TOKEN GH_PAT AZURE_CLIENT_SECRET npm_config_//registry.npmjs.org/:_authToken NPM_CONFIG__AUTH
  npm_config__auth NPM_CONFIG__AUTHTOKEN REGISTRY_AUTH SESSION_JWT
  PGPASSWORD DB_PASSWORD MYSQL_PWD DB_PASSWORD_PROD ROOT_PASSWD SMTP_PASS SSH_PASSPHRASE
  GOOGLE_APPLICATION_CREDENTIALS AWS_ACCESS_KEY_ID AWS_SESSION_TOKEN AWS_PROFILE AWS_SECRET_ACCESS_KEY
  DATABASE_URL PROD_DATABASE_URL SENTRY_DSN MONGO_URI MONGODB_URI REDIS_URL POSTGRES_URL
  AZURE_STORAGE_CONNECTION_STRING SLACK_WEBHOOK_URL github_token Db_Password
  OPENAI_API_KEY_2 API_KEY_PROD GITHUB_TOKEN_RO TOKEN_GITHUB PRIVATE_KEY_PEM MYSECRET SECRETKEY AUTHORIZATION PASS
  DATABASE_URL_RO KEY KEY1 KEYS API_KEYS PAT PAT_GITHUB GITHUB_PAT_2 PASS_PROD DB_PASS_2 TOKENS TOKEN2 GITHUBTOKEN
  githubToken openaiApiKey clientSecret CLIENTSECRET_2 SECRETS_JSON TOP_SECRET_VALUE HTTP_AUTHORIZATION
  PROXY_AUTHORIZATION_HEADER KUBE_CREDENTIALS_B64 MYCREDENTIAL PASSWORD_1 ROOTPASSWORD SIGNING_KEY_V2 KEY_ID_PROD
  ENCRYPTION_KEY_BASE64 DSN DSN_PROD SENTRY_DSN_BACKEND CI_JOB_JWT_V2 BEARER SESSION_COOKIE COOKIE_JAR AUTH LDAP_BIND_PW
  PGPASS REDIS_URL_2 PROD_MONGO_URI MYSQL_RO_URL JDBC_URL_REPLICA SLACK_WEBHOOK_URL_OPS TEAMS_WEBHOOK STORAGE_CONNSTR_SECRET
  ConnectionStrings__Db MSSQL_CONN_STR DOCKER_AUTH_CONFIG WALLET_MNEMONIC AWS_WEB_IDENTITY_TOKEN_FILE MYSQL_PWD_RO
  OPENAIKEY openaiKey GITHUBPAT MY_STRIPEKEY_2 SLACKPASS
  openai_api_key_2 Token_Github HF_TOKEN_READ VAULT_TOKEN_1 X_API_KEY_HEADER SSH_PRIVATE_KEY_B64
`
  .trim()
  .split(/\s+/);

const HARMLESS = `
  PATH HOME PWD OLDPWD LANG SSH_AUTH_SOCK SSH_ASKPASS GIT_ASKPASS XAUTHORITY GIT_AUTHOR_NAME KEYBOARD MONKEY HOTKEY
  TOKENIZERS_PARALLELISM SECRETARY SSL_CERT_FILE NODE_EXTRA_CA_CERTS HTTPS_PROXY KUBECONFIG NODE_ENV PATTERN COMPASS
  npm_config_cache GEMINI_PROJECT_DIR HOOKLINE_EVENT
  AWS_CA_BUNDLE AWS_REGION AWS_DEFAULT_REGION AWS_DEFAULT_OUTPUT AWS_PAGER AWS_MAX_ATTEMPTS AWS_RETRY_MODE
  AWS_SDK_LOAD_CONFIG AWS_ENDPOINT_URL AWS_EC2_METADATA_DISABLED USER LOGNAME SHELL TERM COLORTERM TZ TMPDIR EDITOR PAGER
  LC_ALL DISPLAY XDG_RUNTIME_DIR XDG_SESSION_ID HOSTNAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_DIR GIT_EDITOR
  GIT_TERMINAL_PROMPT SSH_CONNECTION SSH_TTY SUDO_ASKPASS GPG_TTY LS_COLORS NO_COLOR CI VIRTUAL_ENV PYTHONPATH
  PYTHONUNBUFFERED PYTHONHASHSEED CARGO_HOME RUST_LOG GOPATH JAVA_HOME NODE_OPTIONS npm_config_registry
  npm_package_name npm_lifecycle_event PASSENGER_ENV BYPASS_CACHE PASSTHROUGH MAX_TOKENS OPENAI_MAX_TOKENS
  CLAUDE_CODE_MAX_OUTPUT_TOKENS TOKENS_PER_MINUTE_LIMIT KEYMAP KEYCHAIN_PATH KEYWORDS PATCH PATHEXT COMPATIBLE
  PASSWORD_STORE_DIR GCM_CREDENTIAL_STORE HTTP_PROXY NO_PROXY OLLAMA_HOST BASE_URL SERVICE_URL AUTHOR AUTHORS
  DOCKER_HOST KUBERNETES_SERVICE_HOST WEBHOOKS_ENABLED_AT DONKEY_KONG GITHUBPATH OPENAIKEYBOARD TURKEY JOCKEY WHISKEY COOKIECUTTER_CONFIG
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

test("the same table redacts: a value beside such a name is taken out, and others stay", () => {
  const variables = (names: readonly string[]) => names.filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name));
  const missed = variables(CREDENTIALS).filter((name) => redactText(`export ${name}=hunter2x`).includes("hunter2x"));
  const lost = variables(HARMLESS).filter((name) => !redactText(`export ${name}=hunter2x`).includes("hunter2x"));
  expect({ missed, lost }).toEqual({ missed: [], lost: [] });
});

test.each([["_PG".repeat(200_000)], ["POSTGRES".repeat(100_000)], [`${"A_".repeat(500_000)}WEBHOOK!`]])(
  "a name made to take long is judged at once",
  (name) => {
    const startedAt = performance.now();
    scrubEnvironment({ [name]: "x" }, []);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  },
);

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
