import { didYouMean } from "@hookline/engine/program";
import { aligned } from "../../terminal/table.ts";
import { shortened } from "../../terminal/visible.ts";

/** The actions that commands can use. */
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
    summary: "show every hook, its state, and what it did in this session",
    run: (conversation) => conversation.showHooks(),
  },
  {
    names: ["/clear"],
    summary: "end this session and begin an empty one",
    run: (conversation) => conversation.clear(),
  },
  {
    names: ["/compress"],
    summary: "replace the older part of the conversation with a summary",
    run: (conversation) => conversation.compress(),
  },
  { names: ["/help"], summary: "show this list", run: (conversation) => conversation.say(helpLines()) },
  { names: ["/quit", "/exit"], summary: "leave, like Ctrl-D", run: (conversation) => conversation.leave() },
];

export const SLASH_WORDS = SLASH_COMMANDS.flatMap(({ names }) => names);

/** The user's input: a command, an unknown command, or a prompt. `//` begins a prompt that starts with a slash. */
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
  const hint = SLASH_WORDS.includes(word) ? ` ${word} does not accept arguments.` : didYouMean(word, SLASH_WORDS);
  const what = `There is no command ${shortened(text, 60)}.${hint} /help lists them; to begin a prompt with /, type //.`;
  return { kind: "unknown", what };
}

function helpLines(): string[] {
  const rows = SLASH_COMMANDS.map(({ names, summary }) => [names.join(", "), summary]);
  return [
    ...aligned(rows, "  "),
    "",
    "  A line that ends in \\ continues in the next. To begin a prompt with /, type //.",
    "  Ctrl-C cancels the running work; at the prompt it clears the line. Arrow keys recall earlier prompts.",
  ];
}
