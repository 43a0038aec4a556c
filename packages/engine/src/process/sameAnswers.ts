/** Stands for the work at hand, during which files are taken not to change. */
let work: object | undefined;

/**
 * Does synchronous work during which each function made with `lookedUpOnce` is asked once for each text. Thousands of hooks name the same
 * programs and files. Work in several pieces passes the same object with each of them.
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

/** A function of one text whose answers are kept during such a piece of work, and asked for anew outside of it. */
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
