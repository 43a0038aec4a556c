import { fillTables, prose } from "./markdown.mjs";
import { code, table } from "./reference.mjs";

export const TOOLS_PAGE = "docs/agent-setup.md";

/** The page with the agent's tools, its table made from their definitions and from the names that matchers know. */
export function toolsPage(page, { BUILT_IN_TOOLS, KNOWN_TOOLS }) {
  const rows = BUILT_IN_TOOLS.map(({ name, parameters, kind, description }) => {
    const [, ...aliases] = KNOWN_TOOLS.find(([known]) => known === name) ?? [];
    return [code(name), codes(aliases), codes(argumentNames(parameters)), kind, prose(firstSentence(description))];
  });
  return fillTables(TOOLS_PAGE, page, {
    tools: table(["tool", "also called", "arguments", "kind", "what it does"], rows),
  });
}

function argumentNames({ properties, required = [] }) {
  return Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
}

const codes = (names) => names.map(code).join(", ");
const firstSentence = (text) => text.split(/\.(?: |$)/)[0];
