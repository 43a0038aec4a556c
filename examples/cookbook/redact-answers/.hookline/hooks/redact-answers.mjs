// Masks what should not be shown in what the model says: addresses, card numbers, keys.

const MASKS = [
  [/[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}/gu, () => "[e-mail]"],
  [/(?<!\d)(?:\d[ -]?){12,18}\d(?!\d)/g, (digits) => (isCardNumber(digits) ? "[card number]" : digits)],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}|\b[rs]k_live_[A-Za-z0-9]{16,99}/g, () => "[key]"],
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

/** The check digit tells a card number from any other long number. */
function isCardNumber(text) {
  const digits = text.match(/\d/g).map(Number).reverse();
  const sum = digits.reduce((total, digit, at) => total + (at % 2 ? [0, 2, 4, 6, 8, 1, 3, 5, 7, 9][digit] : digit), 0);
  return sum % 10 === 0;
}
