import { execFile } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { filesIn, ROOT, readText } from "../../../../test/repository.ts";
import { EVENTS } from "../../src/events/catalog.ts";
import { SettingsConfig } from "../../src/hooks/config.ts";
import { hasProgram } from "../support/programs.ts";
import { temporaryFolder } from "../support/system.ts";
import { anchorsOf, type Block, blocksOf, commandsIn, linksIn } from "./markdown.ts";

// CONTRIBUTING.md says what a block may be and what is done with it.

const markdownIn = (folder: string) => filesIn(folder).filter((file) => file.endsWith(".md"));
const PAGES = [
  "README.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "packages/journal/README.md",
  ...markdownIn("docs"),
  ...markdownIn("examples"),
];
const LANGUAGES = ["jsonc", "yaml", "sh", "python", "console", "ts", "js", "json", "text"];

/** The project of a page: its files and programs live here, and nobody's own hooks take part. */
class Page {
  readonly home = temporaryFolder();
  readonly project = join(this.home, "project");
  readonly #bin = join(this.home, "bin");
  #status = 0;

  constructor(page: string) {
    // Around the project: a package in it that leads out of it is told by every test of hooks.
    const installed = join(dirname(this.project), "node_modules");
    mkdirSync(join(installed, "@hookline"), { recursive: true });
    mkdirSync(this.project, { recursive: true });
    if (page.startsWith("examples/")) cpSync(join(ROOT, dirname(page)), this.project, { recursive: true });
    for (const name of ["engine", "journal"]) {
      symlinkSync(join(ROOT, "packages", name), join(installed, "@hookline", name));
    }
    symlinkSync(join(ROOT, "packages/cli"), join(installed, "hookline"));
    symlinkSync(join(ROOT, "node_modules/@types"), join(installed, "@types"));
    // A code cache that the suite shares.
    symlinkSync(process.env.HOOKLINE_TEST_CODE_CACHE ?? "", join(this.home, ".cache"));
    mkdirSync(this.#bin);
    writeFileSync(join(this.#bin, "hookline"), `#!/bin/sh\nexec node '${ROOT}packages/cli/bin/hookline.js' "$@"\n`);
    chmodSync(join(this.#bin, "hookline"), 0o755);
  }

  write(file: string, text: string): string {
    const path = join(this.project, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** Both streams together, with `$?` as the command before left it. */
  async shell(command: string): Promise<string> {
    const env = { PATH: `${this.#bin}:${process.env.PATH}`, HOME: this.home, NO_COLOR: "1" };
    const settings = join(this.home, ".hookline/settings.json");
    // There is no terminal here, and these commands decide for a person.
    const decides = /^hookline (trust --yes|task approve|task deny|enable|disable|doctor --fix)\b/.test(command);
    if (decides) {
      mkdirSync(dirname(settings), { recursive: true });
      writeFileSync(settings, '{ "approvals": { "withoutTerminal": true } }');
    }
    const line = `(exit ${this.#status}); { ${command}\n} 2>&1 </dev/null`;
    const run = promisify(execFile)("sh", ["-c", line], { cwd: this.project, env });
    const { stdout, code } = await run.then(
      (done) => ({ ...done, code: 0 }),
      (error: { stdout: string; code: number }) => error,
    );
    if (decides) rmSync(settings);
    this.#status = code;
    return stdout;
  }

  settings() {
    const systemFile = join(this.home, "none");
    return new SettingsConfig({ workingDir: this.project, homeDir: this.home, systemFile }).loadSettings();
  }

  normal(text: string): string {
    return text
      .replaceAll(this.project, "/home/me/project")
      .replace(/^(.*The journal is slow: |.* \(late\) |\(not recorded in time\) ).*(\n|$)/gm, "") // the machine has much to do
      .replace(/^.*Decided without a terminal at .*(\n|$)/gm, "")
      .replace(/^fingerprint [0-9a-f]{64}$/gm, "fingerprint 1f0c")
      .replace(/--expect [0-9a-f]{64}/g, "--expect 1f0c")
      .replace(/\b\d+ (s|min|h) ago\b/g, "now")
      .replace(/\d+(\.\d+)? m?s\b/g, "0 ms")
      .replace(/\b\d\d-\d\d \d\d:\d\d:\d\d\b/g, "01-01 00:00:00")
      .replace(/(?<=00:00:00 {2}|hookline trace )[0-9a-f]{8}\b/g, "0a1b2c3d") // the id of an event
      .replace(/(?<=\S) {2,}/g, "  ") // columns are as wide as what stands in them
      .replace(/\bt-[0-9a-z]{10}\b/g, "t-4k7v0c9xwa") // the key of a task
      .trimEnd();
  }
}

describe.each(PAGES)("%s", (page) => {
  const blocks = blocksOf(readText(page));

  test("has links that lead somewhere", () => {
    const dead = linksIn(readText(page)).filter(({ to, anchor }) => {
      const file = to === "" ? page : join(dirname(page), to);
      if (!existsSync(join(ROOT, file))) return true;
      return anchor !== undefined && file.endsWith(".md") && !anchorsOf(readText(file)).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  if (blocks.length === 0) return;

  const ownFiles = page.startsWith("examples/") ? filesIn(dirname(page)) : [];
  const isPython =
    blocks.some(({ language }) => language === "python") || ownFiles.some((file) => file.endsWith(".py"));
  const canRun = !isPython || hasProgram("python3");
  test.runIf(canRun)("has blocks that hold what they show", { timeout: 120_000 + 5_000 * blocks.length }, async () => {
    const project = new Page(page);
    for (const [index, block] of blocks.entries()) {
      const at = `${page}:${block.line}`;
      expect(LANGUAGES, at).toContain(block.language);
      if (block.file !== undefined) {
        project.write(block.file, block.text);
        continue;
      }
      switch (block.language) {
        case "json":
          expect(() => JSON.parse(block.text), at).not.toThrow();
          break;
        case "sh":
          expectNpmCommands(block, at);
          break;
        case "console":
          for (const { command, output } of commandsIn(block)) {
            expect(project.normal(await project.shell(command)), `${at} ${command}`).toBe(project.normal(output));
          }
          break;
        case "ts":
        case "js":
          await expectProgram(project, block, { at, next: blocks[index + 1] });
          break;
        default:
          expect(block.language, `${at} needs file=`).toBe("text");
      }
    }
    const { problems, hooks } = await project.settings();
    expect(problems, page).toEqual([]);
    const declares = blocks.some(({ file, language }) => file !== undefined && /^(jsonc|yaml)$/.test(language));
    expect(hooks.length > 0 || !declares, page).toBe(true);
  });
});

function expectNpmCommands({ text }: Block, at: string): void {
  const { scripts } = JSON.parse(readText("package.json"));
  for (const command of text
    .replace(/#.*$/gm, "")
    .trim()
    .split(/\s*(?:&&|\n)\s*/)) {
    const [, script = ""] = /^npm (?:run )?([a-z]+)(?: -- --[a-z-]+)?$/.exec(command) ?? [];
    expect(script === "ci" || script in scripts, `${at} ${command}`).toBe(true);
  }
}

async function expectProgram(
  page: Page,
  { text, language }: Block,
  { at, next }: { at: string; next: Block | undefined },
): Promise<void> {
  if (language === "ts") {
    const options = "--noEmit --strict --module nodenext --target es2023 --types node --skipLibCheck";
    expect(
      await page.shell(`node '${ROOT}node_modules/typescript/bin/tsc' ${options} '${page.write("page.mts", text)}'`),
      at,
    ).toBe("");
  }
  const printed = await page.shell(`node '${page.write("page.mjs", text)}'`);
  if (next?.isOutput) expect(page.normal(printed), at).toBe(page.normal(next.text));
  else expect(await page.shell("echo $?"), `${at}\n${printed}`).toBe("0\n");
}

test("README.md has fewer than 150 lines", () => {
  expect(readText("README.md").split("\n").length).toBeLessThan(150);
});

test("every file that a page names as a source exists", () => {
  const files = ["packages/engine/src", "packages/journal/src", "packages/cli/src"].flatMap(filesIn);
  const known = new Set(files.map((file) => basename(file)));
  const pages = ["docs/how-it-works.md", ...markdownIn("docs/decisions"), "CONTRIBUTING.md"];
  const named = pages.flatMap((page) =>
    [...readText(page).matchAll(/`(?:[\w./-]+\/)?(\w+\.ts)`/g)].map(([, name]) => name),
  );
  const sources = named.filter((name) => name !== undefined && !name.endsWith(".test.ts"));
  expect(sources.filter((name) => name !== undefined && !known.has(name))).toEqual([]);
  expect(sources.length).toBeGreaterThan(20);
});

test("the page of events has a section for each", () => {
  const sections = [...readText("docs/reference/events.md").matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(sections).toEqual(Object.keys(EVENTS));
});
