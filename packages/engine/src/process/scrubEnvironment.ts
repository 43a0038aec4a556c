/**
 * Names under which credentials travel; `*` is any text, `?` any character, case does not count. `SSH_AUTH_SOCK` is absent on purpose: it is
 * where an agent listens, not a secret, and `git` in a hook cannot fetch without it.
 */
const CREDENTIALS = `
  *_KEY *_KEYS *APIKEY *API_KEY *PRIVATEKEY *_PRIVATE_KEY* *ACCESSKEY *_ACCESS_KEY* *_KEY_BASE *_KEY_BASE64
  TOKEN *_TOKEN *_TOKENS *AUTHTOKEN* *ACCESSTOKEN PAT *_PAT JWT *_JWT *_AUTH *_AUTHORIZATION *_BEARER *_COOKIE
  SECRET SECRETS SECRET_* *_SECRET *_SECRETS *_SECRET_* *CLIENTSECRET
  *PASSWORD* *PASSWD* *PASSPHRASE* *_PASS *_PWD *CREDENTIAL* *_CREDS
  AWS_* DOCKER_AUTH_CONFIG NPM_CONFIG__AUTH* NPM_CONFIG_//* *_WEBHOOK *_WEBHOOK_URL
  DATABASE_URL *_DATABASE_URL DB_URL *_DB_URL DSN *_DSN *CONNECTION_STRING *CONNECTIONSTRING* *_CONN_STR
  POSTGRES*_UR? PG*_UR? MYSQL*_UR? MARIADB*_UR? MONGO*_UR? REDIS*_UR? AMQP*_UR? RABBITMQ*_UR? CLOUDAMQP*_UR? JDBC*_UR?
`;

const PATTERN = CREDENTIALS.trim().replaceAll("*", ".*").replaceAll("?", ".").replaceAll(/\s+/g, "|");
const CREDENTIAL = new RegExp(`^(?:${PATTERN})$`, "is");

/** Asked for the same few dozen names before every hook, so the answers are kept; the bound is for a caller that invents names. */
const judged = new Map<string, boolean>();
const MOST_JUDGED = 5_000;

function isCredential(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  if (judged.size >= MOST_JUDGED) judged.clear();
  const verdict = CREDENTIAL.test(name);
  judged.set(name, verdict);
  return verdict;
}

/** The parent's environment without what looks like a credential, except for the names in `allowed`. */
export function scrubEnvironment(
  parent: NodeJS.ProcessEnv,
  allowed: readonly string[],
): { env: Record<string, string>; withheld: string[] } {
  const env: Record<string, string> = {};
  const withheld: string[] = [];
  for (const name of Object.keys(parent)) {
    const value = parent[name];
    if (value === undefined) continue;
    if (isCredential(name) && !allowed.includes(name)) withheld.push(name);
    else env[name] = value;
  }
  return { env, withheld: withheld.sort() };
}
