import type { ToolResult } from "@hookline/engine";

const NO_TERMINAL = "There is no terminal to ask for an approval. The user can";

/** Adds advice for the user to the result of a call that was denied because there was no terminal. */
export function withApprovalHint(result: ToolResult, { modeMayAllow }: { readonly modeMayAllow: boolean }): ToolResult {
  const hint = modeMayAllow
    ? `${NO_TERMINAL} allow it with \`--approval-mode\`, or answer questions in \`hookline chat\`.`
    : `${NO_TERMINAL} answer questions in \`hookline chat\`; no \`--approval-mode\` allows this call.`;
  const message = `${result.error?.message}\n\n${hint}`;
  const returnDisplay = `${result.returnDisplay}\n\n${hint}`;
  return { ...result, llmContent: message, returnDisplay, error: { ...result.error, message } };
}
