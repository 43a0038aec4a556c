import { Ajv } from "ajv";
import formats from "ajv-formats";

/** What is wrong with a value, in words that call it `data`; undefined if nothing is. */
export type SchemaCheck = (value: unknown) => string | undefined;

/** Other people's schemas: unknown keywords are ignored. Throws if a schema cannot be compiled. */
export function schemaCheck(schema: object): SchemaCheck {
  const ajv = new Ajv({ strict: false, validateSchema: false, allErrors: true });
  formats.default(ajv);
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? undefined : ajv.errorsText(validate.errors));
}
