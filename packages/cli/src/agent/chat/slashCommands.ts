import { didYouMean } from "@hookline/engine/program";
import { aligned } from "../../terminal/table.ts";
import { shortened } from "../../terminal/visible.ts";

/** What a command can do. */
export interface Conversation {
  say(lines: readonly string[]): void;
  showHooks(): void;
  clear(): Promise<void>;
  compress(): Promise<void>;
  leave(): void;
}

interface SlashCommand {
  readonly names: readonly string[];
  readonly summary: string;
  readonly run: (conversation: Conversation) => void | Promise<void>;
}

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  {
    names: ["/hooks"],
    summary: "every hook, whether it runs, and what it did in this session",
    run: (conversation) => conversation.showHooks(),
  },
  {
    names: ["/clear"],
    summary: "end this session and begin another one with nothing in it",
    run: (conversation) => conversation.clear(),
  },
  {
    names: ["/compress"],
    summary: "replace the older part of the conversation by a summary",
    run: (conversation) => conversation.compress(),
  },
  { names: ["/help"], summary: "this list", run: (conversation) => conversation.say(helpLines()) },
  { names: ["/quit", "/exit"], summary: "leave; Ctrl-D does, too", run: (conversation) => conversation.leave() },
];

export const SLASH_WORDS = SLASH_COMMANDS.flatMap(({ names }) => names);

/** What was typed: a command, something that looks like one, or a prompt. `//` begins a prompt that begins with a slash. */
export type Meaning =
  | { readonly kind: "command"; readonly run: SlashCommand["run"] }
  | { readonly kind: "unknown"; readonly what: string }
  | { readonly kind: "prompt"; readonly text: string };

export function meaningOf(typed: string): Meaning {
  const text = typed.trim();
  if (text.startsWith("//")) return { kind: "prompt", text: text.slice(1) };
  if (!text.startsWith("/")) return { kind: "prompt", text };
  const command = SLASH_COMMANDS.find(({ names }) => names.includes(text));
  if (command) return { kind: "command", run: command.run };
  const [word = ""] = text.split(/\s/);
  const hint = SLASH_WORDS.includes(word) ? ` ${word} takes nothing after it.` : didYouMean(word, SLASH_WORDS);
  const what = `There is no command ${shortened(text, 60)}.${hint} /help lists them; a prompt that begins with / is typed with //.`;
  return { kind: "unknown", what };
}

function helpLines(): string[] {
  const rows = SLASH_COMMANDS.map(({ names, summary }) => [names.join(", "), summary]);
  return [
    ...aligned(rows, "  "),
    "",
    "  A line that ends in \\ goes on in the next. A prompt that begins with / is typed with //.",
    "  Ctrl-C cancels what runs; at the prompt it clears the line. Arrow keys recall earlier prompts.",
  ];
}
