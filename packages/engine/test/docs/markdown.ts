/** A fenced block of a page. */
export interface Block {
  readonly line: number;
  readonly language: string;
  /** The file it is the content of, from `file=…` after the language. */
  readonly file: string | undefined;
  /** It shows what the block before it prints. */
  readonly isOutput: boolean;
  readonly text: string;
}

export function blocksOf(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  const fence = /^```(\S+)(.*)\n([\s\S]*?)^```$/gm;
  for (const { index, 1: language = "", 2: words = "", 3: text = "" } of markdown.matchAll(fence)) {
    blocks.push({
      line: markdown.slice(0, index).split("\n").length,
      language,
      file: /\bfile=(\S+)/.exec(words)?.[1],
      isOutput: /\boutput\b/.test(words),
      text,
    });
  }
  return blocks;
}

/** A command of a console block, and what the page shows that it prints. */
export interface Shown {
  readonly command: string;
  readonly output: string;
}

export function commandsIn({ text }: Block): readonly Shown[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = "", ...output] = part.split("\n");
      return { command, output: output.join("\n") };
    });
}

/** A relative link: the path, empty for the page itself, and the heading it leads to, if it names one. */
export interface RelativeLink {
  readonly to: string;
  readonly anchor: string | undefined;
}

export function linksIn(markdown: string): readonly RelativeLink[] {
  return [...proseOf(markdown).matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)].flatMap(([, to = "", anchor]) =>
    /^[a-z]+:/.test(to) ? [] : [{ to, anchor }],
  );
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(markdown: string): readonly string[] {
  const headings = [...proseOf(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

const proseOf = (markdown: string) => markdown.replace(/^```[\s\S]*?^```$/gm, "");
