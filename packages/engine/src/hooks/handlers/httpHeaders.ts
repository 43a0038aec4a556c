import { fillVariables, VARIABLE } from "../../config/values/variables.ts";
import { HooklineError } from "../../errors.ts";

type Headers = Readonly<Record<string, string>>;

/** Set by us, or by the connection: one of these in a hook could split a request in two. */
const OWN_HEADERS =
  /^(host|connection|content-length|content-type|transfer-encoding|upgrade|expect|te|trailer|keep-alive)$/;

/** The headers by lower-case name; throws if a request cannot carry one. */
export function checkedHeaders(headers: Headers): Headers {
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    const wrong =
      wrongWith(key, value) ?? (Object.hasOwn(checked, key) ? "appears twice, in different case" : undefined);
    if (wrong !== undefined) {
      const what = `The header ${JSON.stringify(name)} ${wrong}.`;
      throw new HooklineError({ code: "CONFIG_INVALID", what, next: "Correct it, or remove it." });
    }
    checked[key] = value;
  }
  return checked;
}

function wrongWith(key: string, value: string): string | undefined {
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(key)) return "has an invalid name";
  if (OWN_HEADERS.test(key)) return "cannot be set here";
  if (!isSendable(value)) return "has a value that cannot be sent";
  if (value.replaceAll(VARIABLE, "").includes("${"))
    return `has a "\${" that begins no variable; variables are written \${NAME}`;
  return undefined;
}

/** A line break in a value would start another header. */
function isSendable(value: string): boolean {
  return /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value);
}

/** Fills in the variables; throws instead of sending a header without its value. */
export function filledHeaders(headers: Headers, variable: (name: string) => string | undefined): Headers {
  const sendable = (name: string) => {
    const value = variable(name);
    if (value !== undefined && !isSendable(value))
      throw new Error(`its headers use \${${name}}, whose value cannot be sent in a header`);
    return value;
  };
  return fillVariables(headers, sendable, "its headers use");
}
