const MOST = 5_000;
const LONGEST = 1_024;

/** Memoizes by short text: the same few hundred recur. The limit protects against callers that generate new ones. */
export function memoize<Answer>(ask: (text: string) => Answer): (text: string) => Answer {
  const known = new Map<string, Answer>();
  return (text) => {
    const answered = known.get(text);
    if (answered !== undefined) return answered;
    const answer = ask(text);
    if (known.size >= MOST) known.clear();
    if (text.length <= LONGEST) known.set(text, answer);
    return answer;
  };
}
