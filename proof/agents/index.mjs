import { claude } from "./claude.mjs";
import { codex } from "./codex.mjs";
import { gemini } from "./gemini.mjs";

/**
 * @typedef {object} Place Where an agent runs.
 * @property {string} home
 * @property {string} project
 * @property {string} url Of the fake model.
 *
 * @typedef {object} Agent
 * @property {string} name As the dialect is called.
 * @property {string} title
 * @property {string} package
 * @property {(modules: string) => string[] | Promise<string[]>} program The program and its first arguments, without a script of npm between.
 * @property {(prompt: string, options?: { trustsHooks?: boolean }) => string[]} args
 * @property {(url: string) => Record<string, string>} env
 * @property {(place: Place) => Promise<void>} prepare Writes settings without which it does not run.
 * @property {(command: string) => import("../model/server.mjs").Step} shell
 * @property {(path: string, content: string) => import("../model/server.mjs").Step} write
 * @property {(entry: HookEntry) => Promise<void>} hook Writes one hook into its own settings.
 *
 * @typedef {object} HookEntry
 * @property {string} home
 * @property {string} event The agent's own name.
 * @property {string} command
 * @property {number} timeoutMs
 * @property {boolean} [blocksOnFailure]
 */

/** @type {readonly Agent[]} */
export const AGENTS = [claude, codex, gemini];
