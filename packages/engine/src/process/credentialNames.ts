/** Names of variables that hold credentials: one table for withholding them from programs and for redaction. */

/** Anywhere in a name: `MYSECRET`, `DB_PASSWORD_PROD`. */
const ANYWHERE =
  /SECRET(?!AR)|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|AUTHORIZATION|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CONNECTION_?STRING|MNEMONIC/;

/** A word between underscores, also with a number: `OPENAI_KEY_2`, `TOKEN_GITHUB`, `KEY1`. */
const WORD = /^(?:KEYS?|[A-Z0-9]*TOKENS?|PASS|PGPASS|PAT|PW|JWT|BEARER|COOKIES?|CREDS|DSN)\d*$/;

/** Glued to the name of a service: `OPENAIKEY`, `GITHUBPAT`. Other words with this ending do not count: `MONKEY`, `HOTKEY`. */
const GLUED =
  /^(?:OPENAI|ANTHROPIC|CLAUDE|GEMINI|GOOGLE|AZURE|MISTRAL|COHERE|GROQ|DEEPSEEK|OPENROUTER|PERPLEXITY|REPLICATE|HUGGINGFACE|HF|GITHUB|GITLAB|GH|NPM|PYPI|STRIPE|SLACK|TWILIO|SENDGRID|MAILGUN|DATADOG|SENTRY|CLOUDFLARE|HEROKU|VERCEL|NETLIFY|SUPABASE|FIREBASE)(?:KEYS?|PAT|PASS|PWD?)\d*$/;

/** Names that fit neither rule: addresses with a password, and settings of single programs. */
const PHRASES: readonly RegExp[] = [
  /^AWS_/,
  /(?:^|_)(?:DATABASE|DB)_URL(?:_|\d*$)/,
  /(?:^|_)(?:POSTGRES|PG|MYSQL|MARIADB|MONGO|REDIS|AMQP|RABBITMQ|CLOUDAMQP|JDBC)[A-Z]*(?:_[A-Z0-9]+)*_UR[A-Z](?:_|\d*$)/,
  /_PWD(?:_|\d*$)/,
  /(?:^|_)AUTH$/,
  /^NPM_CONFIG_(?:_AUTH|\/\/)/,
  /^DOCKER_AUTH_CONFIG$/,
  /(?:^|_)WEBHOOKS?(?:_URL)?(?:_[A-Z0-9]+)?$/,
  /(?:^|_)CONN_STR/,
];

/** Names that match one of these rules but hold nothing secret. */
const EXCEPTIONS = new Set(
  `
  PWD OLDPWD GIT_AUTHOR_NAME TOKENIZERS_PARALLELISM SSH_AUTH_SOCK SSH_ASKPASS GIT_ASKPASS SUDO_ASKPASS GTK_KEY_THEME
  PASSWORD_STORE_DIR PASSWORD_STORE_UMASK PASSWORD_STORE_CLIP_TIME PASSWORD_STORE_GENERATED_LENGTH GCM_CREDENTIAL_STORE
  GIT_CREDENTIAL_HELPER SECRETS_DIR CREDENTIALS_DIRECTORY
  AWS_CA_BUNDLE AWS_REGION AWS_DEFAULT_REGION AWS_DEFAULT_OUTPUT AWS_OUTPUT AWS_PAGER AWS_MAX_ATTEMPTS AWS_RETRY_MODE
  AWS_CLI_AUTO_PROMPT AWS_SDK_LOAD_CONFIG AWS_STS_REGIONAL_ENDPOINTS AWS_USE_FIPS_ENDPOINT AWS_USE_DUALSTACK_ENDPOINT
  AWS_EC2_METADATA_DISABLED AWS_ENDPOINT_URL AWS_ENDPOINT_URL_S3 AWS_EXECUTION_ENV AWS_NODEJS_CONNECTION_REUSE_ENABLED
  AWS_LAMBDA_FUNCTION_NAME AWS_LAMBDA_FUNCTION_VERSION AWS_LAMBDA_FUNCTION_MEMORY_SIZE AWS_ACCOUNT_ID
`
    .trim()
    .split(/\s+/),
);

/** `MAX_OUTPUT_TOKENS` is a number, not a secret. */
const COUNT = /(?:^|_)(?:MAX|MIN|NUM|COUNT|LIMIT|BUDGET|TOTAL|PER)(?:_|$)/;
const TOKENS = /(?:^|_)TOKENS(?:_|$)/;

/** Caches the same few dozen names that every hook asks for; bounded in case a caller invents names. */
const judged = new Map<string, boolean>();
const MOST_JUDGED = 5_000;
const LONGEST_JUDGED = 400;

/** Whether a variable of this name holds a credential. Ignores case. */
export function isCredentialName(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const verdict = judge(name.toUpperCase());
  if (judged.size >= MOST_JUDGED) judged.clear();
  if (name.length <= LONGEST_JUDGED) judged.set(name, verdict);
  return verdict;
}

function judge(whole: string): boolean {
  if (EXCEPTIONS.has(whole)) return false;
  if (ANYWHERE.test(whole)) return true;
  // For a very long name, test only its two ends: the whole text could be made slow to match.
  const half = LONGEST_JUDGED / 2;
  const name = whole.length > LONGEST_JUDGED ? `${whole.slice(0, half)}_${whole.slice(-half)}` : whole;
  if (PHRASES.some((phrase) => phrase.test(name))) return true;
  if (TOKENS.test(name) && COUNT.test(name)) return false;
  return name.split(/[^A-Z0-9]+/).some((word) => WORD.test(word) || GLUED.test(word));
}
