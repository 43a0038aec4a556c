import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ROOT, readText } from "../../../test/repository.ts";
import { closedText, readClosed } from "../../cli/src/project/closedFile.ts";
import { type OwnNoRow, ownNoRows } from "../../engine/src/dialects/ownNo.ts";
import { hasCompiler, isThere } from "./support/compiler.ts";
import { asText, Installation, PASSED, REFUSED } from "./support/installation.ts";

const HOSTS = ownNoRows();
const isRoot = isThere("the right to give files away (root)", process.getuid?.() === 0, { neededInCi: false });

test("the header of hosts is what the table says; else run `npm run docs`", async () => {
  const { clientHosts }: { clientHosts(rows: readonly OwnNoRow[]): string } = await import(
    `${ROOT}scripts/clientHosts.mjs`
  );
  expect(clientHosts(HOSTS)).toBe(readText("packages/client/src/hosts.h"));
});

test("a no has its reason, without which Codex would run the tool", () => {
  const silent = HOSTS.filter(
    ({ no }) => no !== null && !`${no.stdout}${no.stderr}`.includes("hookline did not answer in time"),
  );
  expect(silent.map(({ host, event }) => `${host} ${event}`)).toEqual([]);
});

describe.runIf(hasCompiler)("without an answer, `run/closed` decides:", () => {
  test.each(HOSTS)("$host $event", async ({ host, event, canonical, no }) => {
    const installation = new Installation();
    installation.writeRun("closed", closedText([{ event: canonical, folder: "/" }]));
    const { exitCode: code = 0, stdout = "", stderr = "" } = no ?? {};
    expect(asText(await installation.call({ host, event }))).toEqual({ code, signal: null, stdout, stderr });
    expect(installation.missed()).toMatchObject([
      { outcome: no ? "refused" : "passed", where: [host, event, installation.project] },
    ]);
  });

  test.each([
    ["host", { host: "other" }],
    ["event", { event: "BeforeTool" }],
  ])("a call of an unknown %s passes, and is noted", async (_, options) => {
    const installation = new Installation();
    expect(asText(await installation.call(options))).toEqual(PASSED);
    expect(installation.missed()).toMatchObject([{ outcome: "passed" }]);
  });

  test.each<[string, (project: string) => string, boolean]>([
    ["it is empty", () => "", false],
    ["another event is closed", () => "AfterTool\t/\n", false],
    ["an event whose name begins alike is closed", () => "BeforeToolSelection\t/\nBefore\t/\n", false],
    ["the folder is closed", (project) => `BeforeTool\t${project}\n`, true],
    ["a folder around it is closed", (project) => `AfterTool\t/\nBeforeTool\t${join(project, "..")}\n`, true],
    ["everything is closed", () => "BeforeTool\t/\n", true],
    ["a folder whose name begins alike is closed", (project) => `BeforeTool\t${project.slice(0, -1)}\n`, false],
    ["a folder with a longer name is closed", (project) => `BeforeTool\t${project}s\n`, false],
    ["a folder below it is closed", (project) => `BeforeTool\t${project}/sub\n`, false],
    ["the last line is torn", (project) => `AfterTool\t/\nBeforeTool\t${project.slice(0, 5)}`, true],
    ["a line has no folder", () => "BeforeAgent\n", true],
    ["a line has a relative folder", () => "BeforeAgent\twork\n", true],
    ["a line has an unknown escape", () => "BeforeAgent\t/a\\x41\n", true],
    ["there is an empty line", () => "\n", true],
    ["it is something else", () => "\0\0\0\0", true],
  ])("%s", async (_, text, isClosed) => {
    const installation = new Installation();
    installation.writeRun("closed", text(installation.project));
    expect(asText(await installation.call())).toEqual(isClosed ? REFUSED : PASSED);
    expect(installation.missed()).toMatchObject([{ outcome: isClosed ? "refused" : "passed" }]);
  });

  test.each<[string, (file: string) => void]>([
    ["missing", (file) => rmSync(file)],
    ["a folder", (file) => rmSync(file) ?? mkdirSync(file)],
    ["a link", (file) => renameSync(file, `${file}.real`) ?? symlinkSync(`${file}.real`, file)],
    ["writable by others", (file) => chmodSync(file, 0o666)],
    ["larger than 16 MB", (file) => writeFileSync(file, "AfterTool\t/a\n".repeat(1_400_000))],
  ])("it is %s, so nothing passes", async (_, change) => {
    const installation = new Installation();
    installation.writeRun("closed", "");
    change(join(installation.run, "closed"));
    expect(asText(await installation.call())).toEqual(REFUSED);
  });

  test.runIf(isRoot)("it belongs to another user, so nothing passes", async () => {
    const installation = new Installation();
    installation.writeRun("closed", "");
    chownSync(join(installation.run, "closed"), 12345, 12345);
    expect(asText(await installation.call())).toEqual(REFUSED);
  });

  test("there is no run folder, so nothing passes", async () => {
    const installation = new Installation();
    rmSync(installation.run, { recursive: true });
    expect(asText(await installation.call())).toEqual(REFUSED);
  });

  test("the real folder counts, not the link that leads there, and not what variables say", async () => {
    const installation = new Installation();
    const link = join(installation.dir, "link");
    symlinkSync(installation.project, link);
    installation.writeRun("closed", closedText([{ event: "BeforeTool", folder: installation.project }]));
    const lies = { PWD: "/", HOME: "/nowhere", HOOKLINE_STATE_DIR: "/nowhere", HOOKLINE_HOME: "/nowhere", PATH: "." };
    expect(asText(await installation.call({ cwd: link, env: lies }))).toEqual(REFUSED);
    installation.writeRun("closed", closedText([{ event: "BeforeTool", folder: link }]));
    expect(asText(await installation.call({ cwd: link, env: { ...lies, PWD: link } }))).toEqual(PASSED);
  });

  test("a client that is started through a link uses the folder of the real one", async () => {
    const installation = new Installation();
    const elsewhere = new Installation();
    elsewhere.writeRun("closed", "");
    rmSync(elsewhere.client);
    symlinkSync(installation.client, elsewhere.client);
    expect(asText(await elsewhere.call())).toEqual(REFUSED);
    expect(elsewhere.missed()).toEqual([]);
  });

  test.each(["two\nlines", "tab\there", "back\\slash", "back\\nslash", "spaces and é"])("a folder %j", async (name) => {
    const installation = new Installation();
    const folder = join(installation.project, name);
    mkdirSync(join(folder, "sub"), { recursive: true });
    installation.writeRun("closed", closedText([{ event: "BeforeTool", folder }]));
    expect(asText(await installation.call({ cwd: folder }))).toEqual(REFUSED);
    expect(asText(await installation.call({ cwd: join(folder, "sub") }))).toEqual(REFUSED);
    expect(asText(await installation.call())).toEqual(PASSED);
    const [line] = installation.missed();
    expect(readClosed(`BeforeTool\t${line?.where[2]}\n`)).toEqual([{ event: "BeforeTool", folder }]);
  });

  test("it is read as the program reads it, whatever is in it", async () => {
    const installation = new Installation();
    const piece = fc.constantFrom(
      "BeforeTool",
      "AfterTool",
      "\t",
      "\n",
      "/",
      "/tmp",
      "\\",
      "\\n",
      "..",
      ".",
      "é",
      "\0",
      installation.project,
    );
    const line = fc.constantFrom(
      `BeforeTool\t${installation.project}\n`,
      "AfterTool\t/\n",
      "BeforeTool\t/tmpo\n",
      "BeforeTool\t/\\\\\\n\n",
    );
    const text = fc.array(fc.oneof({ weight: 1, arbitrary: piece }, { weight: 2, arbitrary: line }), { maxLength: 6 });
    const property = fc.asyncProperty(text, async (pieces) => {
      installation.writeRun("closed", pieces.join(""));
      const entries = readClosed(pieces.join(""));
      const isBelow = (folder: string) => folder === "/" || `${installation.project}/`.startsWith(`${folder}/`);
      const closed = entries?.some(({ event, folder }) => event === "BeforeTool" && isBelow(folder)) ?? true;
      expect(asText(await installation.call())).toEqual(closed ? REFUSED : PASSED);
    });
    await fc.assert(property, { numRuns: 200 });
  });
});

describe.runIf(hasCompiler)("`run/missed`", () => {
  test("belongs to the user alone", async () => {
    const installation = new Installation();
    await installation.call();
    expect(statSync(join(installation.run, "missed")).mode & 0o777).toBe(0o600);
  });

  test("has whole lines of 64 clients at once", async () => {
    const installation = new Installation();
    await Promise.all(Array.from({ length: 64 }, () => installation.call()));
    const where = ["claude", "PreToolUse", installation.project];
    expect(installation.missed().map((line) => line.where)).toEqual(Array.from({ length: 64 }, () => where));
  });

  test("has names of hosts and events in a form that neither breaks lines nor reaches a terminal", async () => {
    const installation = new Installation();
    await installation.call({ host: "a\nb\tc\\", event: `\u001b[31m${"e".repeat(1000)}` });
    const [line] = installation.missed();
    expect(line?.where.slice(0, 2)).toEqual(["a\\nb\\tc\\\\", expect.stringMatching(/^ \[31me{200,255}$/)]);
  });

  test("ends at 1 MB", async () => {
    const installation = new Installation();
    installation.writeRun("missed", "x".repeat(2 ** 20 - 10));
    await installation.call();
    expect(statSync(join(installation.run, "missed")).size).toBe(2 ** 20 - 10);
  });

  test.each<[string, (missed: string, other: string) => void]>([
    ["a link", (missed, other) => symlinkSync(other, missed)],
    ["a second name of another file", (missed, other) => linkSync(other, missed)],
  ])("that is %s is not written to", async (_, make) => {
    const installation = new Installation();
    const other = join(installation.dir, "other");
    writeFileSync(other, "before");
    make(join(installation.run, "missed"), other);
    expect(asText(await installation.call())).toEqual(REFUSED);
    expect(readFileSync(other, "utf8")).toBe("before");
  });

  test("is not needed", async () => {
    const installation = new Installation();
    mkdirSync(join(installation.run, "missed"));
    expect(asText(await installation.call())).toEqual(REFUSED);
    expect(existsSync(join(installation.run, "missed"))).toBe(true);
  });
});
