import type { ToolResult } from "@hookline/engine";

const NOBODY = "There is no terminal to ask for an approval. The user can";

/** Adds advice for the user to the result of a call that was denied because there was no terminal. */
export function withHint(result: ToolResult, { modeMayAllow }: { readonly modeMayAllow: boolean }): ToolResult {
  const hint = modeMayAllow
    ? `${NOBODY} allow it with \`--approval-mode\`, or answer questions in \`hookline chat\`.`
    : `${NOBODY} answer questions in \`hookline chat\`; no \`--approval-mode\` allows this call.`;
  const message = `${result.error?.message}\n\n${hint}`;
  const returnDisplay = `${result.returnDisplay}\n\n${hint}`;
  return { ...result, llmContent: message, returnDisplay, error: { ...result.error, message } };
}
