const TAG = /<(\/?)hook_context>/gi;
const SYSTEM_LINE = /^(\s*)\[System\]/gim;

/** Hook text made safe to stand in the model's context: it cannot open, close or forge the engine's own marks. */
export function neutralise(text: string): string {
  return text.replace(TAG, "&lt;$1hook_context&gt;").replace(SYSTEM_LINE, "$1(System)");
}

/** Context from a hook as the model receives it. */
export function wrapContext(text: string): string {
  return `<hook_context>${neutralise(text)}</hook_context>`;
}

/** A hook's message as the model receives it. */
export function systemNote(text: string): string {
  return `[System] ${neutralise(text)}`;
}
