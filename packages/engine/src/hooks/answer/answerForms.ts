import type { FormName } from "../../events/eventSpec.ts";
import type { Fields, FormReading } from "../run/rewrites.ts";
import { readRequest } from "../translator/readRequest.ts";
import { readResponse } from "../translator/readResponse.ts";
import { readToolConfig } from "../translator/toolConfig.ts";

/** `shown` is the value that the hook saw; undefined if the event has none, as for a synthetic answer. */
type ReadForm = (answered: Fields, shown: unknown) => FormReading;

const FORMS: Readonly<Record<FormName, ReadForm>> = {
  llmRequest: readRequest,
  llmResponse: readResponse,
  toolConfig: readToolConfig,
};

/** Leaves a value that it cannot read unchanged: applying it fails validation and blocks. */
export function readForm(form: FormName, answered: Fields, shown: unknown): FormReading {
  try {
    return FORMS[form](answered, shown);
  } catch {
    return { value: answered, ignored: [] };
  }
}
