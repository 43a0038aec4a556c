import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { closedText, readClosed } from "../../src/project/closedFile.ts";

const NAME = fc.string({ unit: "grapheme", minLength: 1 }).filter((name) => !/[/\0\uFFFD]|^\.\.?$/.test(name));
const FOLDER = fc.array(NAME, { maxLength: 4 }).map((names) => `/${names.join("/")}`);
const ENTRY = fc.record({ event: fc.constantFrom("BeforeTool", "BeforeAgent"), folder: FOLDER });

describe("the file of events that must not pass without an answer", () => {
  test("has a sorted line per entry, each once", () => {
    const entries = [
      { event: "BeforeTool", folder: "/work/shop" },
      { event: "BeforeAgent", folder: "/" },
      { event: "BeforeTool", folder: "/work/shop" },
    ];
    expect(closedText(entries)).toBe("BeforeAgent\t/\nBeforeTool\t/work/shop\n");
    expect(closedText([])).toBe("");
  });

  test("escapes newlines, tabs and backslashes of paths", () => {
    const folder = "/work/two\nlines\tand \\n";
    expect(closedText([{ event: "BeforeTool", folder }])).toBe("BeforeTool\t/work/two\\nlines\\tand \\\\n\n");
  });

  test("reads back what was written, whatever the paths are", () => {
    const property = fc.property(fc.array(ENTRY), (entries) => {
      const read = readClosed(closedText(entries));
      expect(new Set(read?.map(key))).toEqual(new Set(entries.map(key)));
    });
    fc.assert(property);
  });

  test.each(["relative", "", "/work/", "/work//shop", "/work/./shop", "/work/../shop", "/a\0b"])(
    "is not written with the path %j, which no folder has",
    (folder) => {
      expect(() => closedText([{ event: "BeforeTool", folder }])).toThrow("is not a real path");
    },
  );

  test("is not written with an event that is not a name", () => {
    expect(() => closedText([{ event: "Before\tTool", folder: "/" }])).toThrow("not the name of an event");
  });

  test("names the folder around a path that cannot be written, so that more is closed, not less", () => {
    expect(closedText([{ event: "BeforeTool", folder: "/work/caf\uFFFD/shop" }])).toBe("BeforeTool\t/work\n");
    expect(closedText([{ event: "BeforeTool", folder: "/\uD800" }])).toBe("BeforeTool\t/\n");
  });

  test.each([
    "BeforeTool\t/work",
    "BeforeTool\n",
    "\n",
    "\t/work\n",
    "Before Tool\t/work\n",
    "BeforeTool\twork\n",
    "BeforeTool\t/work/\n",
    "BeforeTool\t/work\t\n",
    "BeforeTool\t/a\\x41\n",
    "BeforeTool\t/a\\\n",
    "BeforeTool\t/a\0\n",
    "BeforeTool\t/work\n\n",
  ])("is malformed as %j", (text) => {
    expect(readClosed(text)).toBeUndefined();
    expect(readClosed(`AfterTool\t/\n${text}`)).toBeUndefined();
  });
});

const key = ({ event, folder }: { readonly event: string; readonly folder: string }) => `${event} ${folder}`;
