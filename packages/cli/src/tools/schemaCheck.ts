import { Ajv } from "ajv";
import formats from "ajv-formats";

/** Describes what is wrong with a value, which it calls `data`; undefined if the value is valid. */
export type SchemaCheck = (value: unknown) => string | undefined;

/**
 * Ignores unknown keywords, because the schemas come from third parties, and ajv's own `$async`, which makes a check return a promise: it
 * counts as valid, and its rejection ends the program. Throws if a schema cannot be compiled.
 */
export function schemaCheck(schema: object): SchemaCheck {
  const ajv = new Ajv({ strict: false, validateSchema: false, allErrors: true });
  formats.default(ajv);
  const validate = ajv.compile({ ...schema, $async: false });
  return (value) => (validate(value) ? undefined : ajv.errorsText(validate.errors));
}
