import { expect, test } from "vitest";
import { ROOT, readText } from "../../../../test/repository.ts";
import { DIALECTS, OUTCOMES } from "../../src/program.ts";

interface Generator {
  readonly DIALECTS_PAGE: string;
  readonly dialectsPage: (from: object) => string;
}

test("the page about other agents is what their tables say; else run `npm run docs`", async () => {
  const { DIALECTS_PAGE, dialectsPage }: Generator = await import(`${ROOT}scripts/dialectsPage.mjs`);
  expect(readText(DIALECTS_PAGE)).toBe(dialectsPage({ DIALECTS, OUTCOMES }));
});

test("the page names every event and tool of every host", () => {
  const page = readText("docs/reference/dialects.md");
  for (const { title, events, tools } of Object.values(DIALECTS)) {
    const section = page.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? "";
    for (const name of [...Object.keys(events), ...tools.map(({ theirs }) => theirs)]) {
      expect(section).toContain(`| \`${name}\` `);
    }
  }
});
