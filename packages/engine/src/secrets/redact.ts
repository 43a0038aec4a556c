import { type IsSecret, redactAssigned, redactFlags } from "./assignedValues.ts";
import { redactPrivateKeys } from "./privateKeys.ts";
import { REDACTED } from "./redacted.ts";
import { isSecretName } from "./secretNames.ts";
import { redactTagged } from "./taggedValues.ts";

/** Token formats of common services: the prefix, and the rest. */
const TOKENS: readonly (readonly [begins: string, goesOn: string])[] = [
  ["gh[pousr]_", "[A-Za-z0-9]{20,}"],
  ["github_pat_|dckr_pat_|figd_|glsa_|lin_api_", "[\\w-]{20,}"],
  ["gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-|pypi-|GOCSPX-|sq0[a-z]{3}-", "[\\w-]{16,}[\\w.]*"],
  ["xox[a-z]-|xapp-", "[\\w-]{10,}"],
  ["hooks\\.slack\\.com/|/api/webhooks/", "[\\w/-]{16,}"],
  ["AKIA|ASIA", "[A-Z0-9]{16}"],
  ["AIza|ATATT3", "[\\w=-]{30,}"],
  ["ya29\\.|hv[sbr]\\.", "[\\w-]{20,}"],
  ["[?&]sig=|X-(?:Amz|Goog)-Signature=", "[\\w%+/=-]{16,}"],
  ["[rsp]k_(?:live|test|prod)_|whsec_", "[A-Za-z0-9+/=]{10,}"],
  ["npm_|hf_|gsk_|r8_|ntn_|xai-|pplx-|sntry[su]_", "[A-Za-z0-9+/=]{30,}"],
  ["dapi|do[opr]_v1_|shp(?:at|ca|pa|ss)_|rubygems_", "[0-9a-fA-F]{32,}"],
  ["AGE-SECRET-KEY-", "[A-Z0-9]{40,}"],
];
/** Formats that may also be the end of an ordinary word, such as `task-`. */
const WORDS = "sk-[\\w-]{16,}|SG\\.[\\w-]{16,}\\.[\\w-]{16,}|eyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*){0,3}";
/** The start of a word; also after an escaped line feed, a colour code, and a percent-encoded character. */
const WORD_BEGINS = "(?:(?<![\\w-])|(?<=\\\\[nrt]|\\\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}|\\[[0-9;]{0,9}m))";
const TOKEN = new RegExp(
  `${TOKENS.map(([begins, goesOn]) => `(?:${begins})${goesOn}`).join("|")}|(?=sk-|SG\\.|eyJ)${WORD_BEGINS}(?:${WORDS})`,
  "g",
);
/** Whether there may be a token: most have a character that words lack, and searching for that first is ten times as fast. */
const TOKEN_BEGINS = new RegExp(
  `[_.=/-](?<=sk-|SG\\.|${TOKENS.map(([begins]) => begins).join("|")})|AKIA|ASIA|AIza|ATATT3|dapi|eyJ`,
);
const SCHEME = /\b(bearer|basic)[ \t]+([\w.~+/=-]{6,})/gi;
const WORD = /^[A-Za-z]?[a-z]{1,19}[.=]?$/;
/** A port is not a password; an address without a password may have a token as its user name. */
const USER_INFO = /(\w:\/\/(?:[^\s/:@"']{0,100}:(?!\d{1,5}[/?#])|(?=[\w.~%+-]{20,500}@)))[^\s"'<>]{1,500}@/g;
const CURL_USER =
  /((?:^|[\s"',])(?:-u|-U|--user|--proxy-user)(?:[ \t=,]|\\{0,15}["']){0,6}[^\s:"'\\-][^\s:"'\\]{0,99}:)([^\s"'\\]+)/g;
const NETRC = /(\b(?:machine|login|account|default)\s{1,8}(?:\S{1,200}\s{1,8})?password\s{1,8})(\S{1,500})/g;
/** Words that people do not write: long, without separators, with both cases and digits. */
const OPAQUE = /(?<![\w+/=.-])(?=[\w+-]*[a-z])(?=[\w+-]*[A-Z])(?=[\w+-]*[0-9])[\w+-]{32,200}(?![\w+/.-])/g;

/** Too short for any secret, as most values are. */
const WORD_OR_NUMBER = /^[\w.,/]{0,14}$/;
/** Whether there may be an opaque word: a digit with many characters before or after it. */
const MAYBE_OPAQUE = /[0-9](?:(?<=[\w+-]{16})|(?=[\w+-]{15}))/;

/** One pass may make visible what another finds; few texts need a third. */
const MOST_PASSES = 5;

/** Redacts text that looks like a secret; `isSecret` decides by name. Redacting the result again changes nothing. */
export function redactText(text: string, isSecret: IsSecret = isSecretName): string {
  if (WORD_OR_NUMBER.test(text)) return text;
  let redacted = text;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const further = redactOnce(redacted, isSecret);
    if (further === redacted) break;
    redacted = further;
  }
  return redacted;
}

function redactOnce(text: string, isSecret: IsSecret): string {
  const keyless = redactPrivateKeys(text);
  const shapeless = (TOKEN_BEGINS.test(keyless) ? keyless.replace(TOKEN, REDACTED) : keyless)
    .replace(SCHEME, (all, scheme: string, value: string) => (WORD.test(value) ? all : `${scheme} ${REDACTED}`))
    .replace(USER_INFO, `$1${REDACTED}@`)
    .replace(CURL_USER, redactCurlUser)
    .replace(NETRC, `$1${REDACTED}`);
  const flagged = redactFlags(redactAssigned(redactTagged(shapeless, isSecret), isSecret), isSecret);
  return MAYBE_OPAQUE.test(flagged) ? flagged.replace(OPAQUE, REDACTED) : flagged;
}

/** `docker run -u me:us` names a group. */
function redactCurlUser(all: string, before: string, _: string, at: number, text: string): string {
  return text.slice(Math.max(0, at - 500), at).includes("curl") ? `${before}${REDACTED}` : all;
}

/** For `JSON.stringify`: replaces fields with a secret name, and redacts other texts. */
export function redactField(key: string, value: unknown): unknown {
  if (value === null || value === undefined || typeof value === "boolean") return value;
  if (isSecretName(key, value)) return REDACTED;
  return typeof value === "string" ? redactText(value) : value;
}
