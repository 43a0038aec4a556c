// Masks what should not be shown in what the model says: addresses, card numbers, keys.

const KEYS = [
  "AKIA[A-Z0-9]{16}|ASIA[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{35}|npm_[A-Za-z0-9]{36}|glpat-[A-Za-z0-9_-]{20,99}",
  "gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22,99}|xox[abeoprs]-[A-Za-z0-9-]{10,99}",
  "[rs]k_live_[A-Za-z0-9]{16,99}|sk-(?:proj-|ant-|(?=[A-Za-z_-]{0,40}[0-9]))[A-Za-z0-9_-]{20,250}",
];
const MASKS = [
  [/[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}/gu, () => "[e-mail]"],
  [/\d[\d -]{11,}\d/g, withoutCards],
  [new RegExp(`(?<![A-Za-z0-9])(?:${KEYS.join("|")})`, "g"), () => "[key]"],
];

export default function redactAnswers({ llm_response }) {
  const candidates = llm_response.candidates.map(redactCandidate);
  const text = llm_response.text === undefined ? {} : { text: masked(llm_response.text) };
  const changed = { ...llm_response, ...text, candidates };
  if (JSON.stringify(changed) !== JSON.stringify(llm_response)) {
    return { hookSpecificOutput: { llm_response: changed } };
  }
}

/** Tool calls stay as they are: a masked argument would do something else than the model meant. */
function redactCandidate(candidate) {
  const { parts } = candidate.content;
  // A number may begin in one part and end in the next, so they are read as one text; then the first part gets it all.
  const spoken = parts.filter((part) => typeof part === "string").join("");
  let rest = masked(spoken);
  if (rest === spoken) return { ...candidate, content: { ...candidate.content, parts: parts.map(redactThought) } };
  const redacted = parts.map((part) => {
    if (typeof part !== "string") return redactThought(part);
    const said = rest;
    rest = "";
    return said;
  });
  return { ...candidate, content: { ...candidate.content, parts: redacted } };
}

function redactThought(part) {
  return part.type === "thought" && typeof part.text === "string" ? { ...part, text: masked(part.text) } : part;
}

function masked(text) {
  return MASKS.reduce((sofar, [pattern, mask]) => sofar.replace(pattern, mask), text);
}

/** Masks every card number in a row of numbers: its date may stand beside it, or how many were ordered. */
function withoutCards(row) {
  let shown = "";
  let done = 0;
  for (let start = 0; start < row.length; start++) {
    const end = isDigit(row[start]) && !isDigit(row[start - 1]) ? endOfCard(row, start) : 0;
    if (end <= done) continue;
    if (start >= done) shown += `${row.slice(done, start)}[card number]`;
    done = end;
  }
  return shown + row.slice(done);
}

const TWICE = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9]; // the sum of the digits

/** Where the longest card number that begins here ends, or 0. The check digit tells it from any other long number. */
function endOfCard(row, start) {
  let end = 0;
  let [sum, sumIfOneFollows] = [0, 0]; // every other digit counts twice, from the last one backwards
  for (let at = start, digits = 0; at < row.length && digits < 19; at++) {
    if (!isDigit(row[at])) continue;
    const digit = Number(row[at]);
    [sum, sumIfOneFollows] = [sumIfOneFollows + digit, sum + TWICE[digit]];
    digits++;
    if (digits >= 13 && sum % 10 === 0 && !isDigit(row[at + 1])) end = at + 1;
  }
  return end;
}

function isDigit(character) {
  return character >= "0" && character <= "9";
}
