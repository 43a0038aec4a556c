import type { ToolResult } from "@hookline/engine";

const NOBODY = "Nobody could be asked: this is no terminal. The person can";

/** A call that was not approved since nobody was there, with what the person can do about it. */
export function withHint(result: ToolResult, { modeMayAllow }: { readonly modeMayAllow: boolean }): ToolResult {
  const hint = modeMayAllow
    ? `${NOBODY} allow it with \`--approval-mode\`, or take part with \`hookline chat\`.`
    : `${NOBODY} take part with \`hookline chat\`; no \`--approval-mode\` allows it.`;
  const message = `${result.error?.message}\n\n${hint}`;
  const returnDisplay = `${result.returnDisplay}\n\n${hint}`;
  return { ...result, llmContent: message, returnDisplay, error: { ...result.error, message } };
}
