import { EVENTS, type EventCatalog } from "@hookline/engine";
import { type HookDeclaration, type Problem, takesEffect } from "@hookline/engine/program";

const catalog: EventCatalog = EVENTS;

/** Reports a hook that seems to replace the model's response without holding it: the user reads the original first. */
export function replacesUnheld(hook: HookDeclaration, texts: readonly string[]): readonly Problem[] {
  const { eventName, hold, off, name, place: where } = hook;
  const counts = takesEffect(hook) && off === undefined;
  if (catalog[eventName]?.output !== "afterModel" || !counts || hold || !texts.some(replaces)) return [];
  const what = `"${name}" seems to replace the model's response, which the user sees before this hook has answered.`;
  return [
    {
      severity: "warning",
      code: "CONFIG_DOUBTFUL",
      where,
      what,
      next: 'Write "hold": true to hold the response until then.',
    },
  ];
}

function replaces(text: string): boolean {
  return text.includes("modifiedResponse") || (text.includes("llm_response") && text.includes("hookSpecificOutput"));
}
