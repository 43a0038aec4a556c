import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ToolResult } from "@hookline/engine";
import { onTestFinished } from "vitest";
import { BUILT_IN_TOOLS } from "../../src/tools/index.ts";
import type { Tool, ToolArguments, ToolContext } from "../../src/tools/tool.ts";
import { Workspace } from "../../src/tools/workspace.ts";

/** A workspace with a folder beside it that no tool may reach, in one temporary folder. */
export class Sandbox {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), "hookline-tools-")));
  readonly root = join(this.dir, "workspace");
  readonly outside = join(this.dir, "outside");
  readonly workspace: Workspace;

  /** Files by their path in the workspace. */
  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    for (const folder of [this.root, this.outside]) mkdirSync(folder);
    this.workspace = new Workspace(this.root);
    for (const [path, content] of Object.entries(files)) this.write(path, content);
    onTestFinished(() => rmSync(this.dir, { recursive: true, force: true }));
  }

  path(path: string): string {
    return join(this.root, path);
  }

  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), content);
  }

  read(path: string): string {
    return readFileSync(this.path(path), "utf8");
  }

  context(more: Partial<ToolContext> = {}): ToolContext {
    return { workspace: this.workspace, ...more };
  }

  async validate(name: string, input: ToolArguments): Promise<string | undefined> {
    return toolNamed(name).validate(input, this.context());
  }

  /** As an agent calls it: faults come back as results. */
  async call(name: string, input: ToolArguments, more: Partial<ToolContext> = {}): Promise<ToolResult> {
    const tool = toolNamed(name);
    const context = this.context(more);
    const fault = await tool.validate(input, context);
    if (fault !== undefined) return failed(fault, "invalid_tool_params");
    try {
      return await tool.execute(input, context);
    } catch (error) {
      return failed(error instanceof Error ? error.message : String(error), "execution_failed");
    }
  }

  /** What the model reads. */
  async answer(name: string, input: ToolArguments, more: Partial<ToolContext> = {}): Promise<string> {
    const { llmContent, error } = await this.call(name, input, more);
    return error?.message ?? (typeof llmContent === "string" ? llmContent : JSON.stringify(llmContent));
  }
}

export function toolNamed(name: string): Tool {
  const tool = BUILT_IN_TOOLS.find((one) => one.name === name);
  if (!tool) throw new Error(`There is no tool ${name}`);
  return tool;
}

function failed(message: string, type: string): ToolResult {
  return { llmContent: message, returnDisplay: message, error: { message, type } };
}
