import { type Answer, type Failure, fieldOf, isRecord, NO_ANSWER, objects } from "../hooks/answer/answer.ts";

/** What a copy of a runner's result knows beside the plain fields: how the run failed, and what objected. */
export function copiedFacts(copy: object): { readonly failure?: Failure; readonly answer?: Answer } {
  const failure = fieldOf(copy, "failure");
  const answer = fieldOf(copy, "answer");
  return { ...(isFailure(failure) ? { failure } : {}), ...(isAnswer(answer) ? { answer } : {}) };
}

function isFailure(value: unknown): value is Failure {
  return isRecord(value) && typeof value.kind === "string" && typeof value.message === "string";
}

function isAnswer(value: unknown): value is Answer {
  return isRecord(value) && Object.entries(NO_ANSWER).every(([key, like]) => isLike(value[key], like));
}

function isLike(value: unknown, like: unknown): boolean {
  return typeof value === typeof like && Array.isArray(value) === Array.isArray(like);
}

/** The answer in the fields counts; only an objection that they do not show is added. */
export function withObjection(answer: Answer | undefined, copied: Answer | undefined): Answer | undefined {
  if (!copied || !objects(copied) || (answer && objects(answer))) return answer;
  const { blocks, stops, asks, stopReasons, reasons } = copied;
  return { ...(answer ?? NO_ANSWER), allows: false, blocks, stops, asks, stopReasons, reasons };
}
