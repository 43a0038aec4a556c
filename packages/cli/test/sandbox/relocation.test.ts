import { describe, expect, test } from "vitest";
import { Relocation } from "../../src/sandbox/relocation.ts";

const plain = new Relocation(["/home/me/shop"], "/tmp/copy/shop");
const spaced = new Relocation(["/home/me/my shop"], "/tmp/copy/my shop");

describe("paths in the text of a command", () => {
  test.each([
    ["/home/me/shop/hooks/a.sh", "/tmp/copy/shop/hooks/a.sh"],
    ["/home/me/shop", "/tmp/copy/shop"],
    ["sh /home/me/shop/a.sh --log=/home/me/shop/a.log", "sh /tmp/copy/shop/a.sh --log=/tmp/copy/shop/a.log"],
    ["cd '/home/me/shop' && cat < \"/home/me/shop/a\"", "cd '/tmp/copy/shop' && cat < \"/tmp/copy/shop/a\""],
    ["x=$(cat /home/me/shop/a);echo>/home/me/shop/b", "x=$(cat /tmp/copy/shop/a);echo>/tmp/copy/shop/b"],
    ["/home/me/shop/bin:/usr/bin:/home/me/shop", "/tmp/copy/shop/bin:/usr/bin:/tmp/copy/shop"],
    ["cc -I/home/me/shop/include", "cc -I/tmp/copy/shop/include"],
    ["cat /home/me/shop-2/a /home/me/shop2", "cat /home/me/shop-2/a /home/me/shop2"],
    ["cat /mnt/home/me/shop/a $X/home/me/shop/a", "cat /mnt/home/me/shop/a $X/home/me/shop/a"],
    ["curl https://host/home/me/shop", "curl https://host/home/me/shop"],
    ["cat /tmp/copy/shop/a", "cat /tmp/copy/shop/a"],
  ])("%s", (text, moved) => {
    expect(plain.text(text)).toBe(moved);
  });

  test.each([
    ["'/home/me/my shop/a.sh' x", "'/tmp/copy/my shop/a.sh' x"],
    ["/home/me/my\\ shop/a.sh x", "/tmp/copy/my\\ shop/a.sh x"],
  ])("%s", (text, moved) => {
    expect(spaced.text(text)).toBe(moved);
  });
});

test("a copy inside of the project is left alone", () => {
  const inside = new Relocation(["/home/me/shop"], "/home/me/shop/tmp/copy/shop");
  expect(inside.text("a /home/me/shop/a /home/me/shop/tmp/copy/shop/b")).toBe(
    "a /home/me/shop/tmp/copy/shop/a /home/me/shop/tmp/copy/shop/b",
  );
});

test("of a project inside of another, the inner one is meant; and nothing is below the root of all", () => {
  const nested = new Relocation(["/home/me/shop", "/home/me/shop/next", "/"], "/tmp/copy/next");
  expect(["/home/me/shop/next/a", "/home/me/shop/b", "/usr/bin/env"].map((path) => nested.path(path))).toEqual([
    "/tmp/copy/next/a",
    "/tmp/copy/next/b",
    "/usr/bin/env",
  ]);
});
