import { expect, test } from "vitest";
import { readText } from "../../../../test/repository.ts";
import { EVENTS } from "../../src/events/catalog.ts";
import { blocksOf, commandsIn } from "./markdown.ts";

// That its files and commands do what the page says is tested with the other pages' (snippets.test.ts).

const [, ...sections] = readText("docs/guide.md")
  .split("\n## The events\n")
  .at(1)
  ?.split("\n## ")
  .at(0)
  ?.split(/^### /m) ?? [""];
const byEvent = new Map(sections.map((section) => [section.slice(0, section.indexOf("\n")), blocksOf(section)]));

test("the guide has a section for each event", () => {
  expect([...byEvent.keys()].toSorted()).toEqual(Object.keys(EVENTS).toSorted());
});

test.each([...byEvent])("%s has a hook of its own, and shows what firing it prints", (event, blocks) => {
  const declaration = blocks.find(({ language }) => language === "yaml");
  expect(declaration?.text).toContain(`\nevent_type: ${event}\n`);
  const programs = blocks.filter(({ language, file }) => file !== undefined && /^(sh|js|python)$/.test(language));
  const started = programs.filter(({ file }) => declaration?.text.includes(` ${file}\n`));
  expect(started.length).toBe(1);
  const shown = blocks.filter(({ language }) => language === "console").flatMap(commandsIn);
  const fired = shown.filter(({ command }) => command.startsWith(`hookline fire ${event} `));
  expect(fired.map(({ output }) => output.split("\n")[0]?.split(" ")[0])).toEqual(fired.map(() => event));
  expect(fired.length).toBeGreaterThan(0);
});

test("its hooks are written in several languages", () => {
  const files = [...byEvent.values()].flat().flatMap(({ file }) => file ?? []);
  for (const ending of [".sh", ".py", ".mjs"]) {
    expect(files.filter((file) => file.startsWith("hooks/") && file.endsWith(ending)).length).toBeGreaterThan(3);
  }
});
