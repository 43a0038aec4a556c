export { isSecretName, REDACTED, redactText } from "../../../../engine/dist/hooks/triggers/redact.js";
