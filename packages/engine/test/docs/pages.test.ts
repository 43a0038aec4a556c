import { posix } from "node:path";
import { expect, test } from "vitest";
import { filesIn, readText } from "../../../../test/repository.ts";
import { linksIn } from "./markdown.ts";

const pagesIn = (folder: string) => filesIn(folder).filter((file) => file.endsWith(".md"));
const PAGES = ["README.md", "CONTRIBUTING.md", ...["docs", "examples", "bench", "proof"].flatMap(pagesIn)];

test("another page links to each page under docs, and to the pages of bench and proof", () => {
  const linked = new Set(PAGES.flatMap((page) => targetsOf(page).filter((target) => target !== page)));
  const expected = [...pagesIn("docs"), "bench/README.md", "proof/README.md"];
  expect(expected.length).toBeGreaterThan(45);
  expect(expected.filter((page) => !linked.has(page))).toEqual([]);
});

test("the list of decisions links to each of them", () => {
  const listed = targetsOf("docs/decisions/README.md").filter((target) => /\/\d{3}-/.test(target));
  expect(listed.toSorted()).toEqual(pagesIn("docs/decisions").filter((page) => !page.endsWith("README.md")));
});

/** The pages that a page links to; a link to a folder shows its README. */
function targetsOf(page: string): readonly string[] {
  return linksIn(readText(page)).map(({ to }) => {
    const target = posix.join(posix.dirname(page), to).replace(/\/$/, "");
    return target.endsWith(".md") ? target : `${target}/README.md`;
  });
}
