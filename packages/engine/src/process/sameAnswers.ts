/** Identifies the current work, during which files are assumed not to change. */
let work: object | undefined;

/**
 * Runs synchronous work during which functions made with `lookedUpOnce` cache their answer per text. Thousands of hooks name the same
 * programs and files. Work in several pieces passes the same object each time.
 */
export function withSameAnswers<Result>(during: object, body: () => Result): Result {
  const outer = work;
  work = during;
  try {
    return body();
  } finally {
    work = outer;
  }
}

/** Caches the answers of a function of one text during such work; outside of it, every call is made. */
export function lookedUpOnce<Answer extends boolean | string | object | null>(
  look: (key: string) => Answer,
): (key: string) => Answer {
  const answers = new WeakMap<object, Map<string, Answer>>();
  return (key) => {
    if (work === undefined) return look(key);
    const known = answers.get(work) ?? new Map<string, Answer>();
    answers.set(work, known);
    const answer = known.get(key) ?? look(key);
    known.set(key, answer);
    return answer;
  };
}
