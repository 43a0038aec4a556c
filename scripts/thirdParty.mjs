// The licences of the packages whose code a build holds, as the bundler reports it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export const THIRD_PARTY_FILE = "THIRD-PARTY-LICENSES.txt";

const PACKAGE = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;
/** The bundler adds helpers of its own. */
const BUNDLER = /^\0?rolldown\//;
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/** From its heading to the next one. */
const LICENCE_SECTION = /^(?:#+ *licen[cs]e[^\n]*|licen[cs]e\n-+)\n(.*?Permission.*?)(?=^#|(?!.))/ims;

/** Collects what several bundles hold, and writes one file about it. */
export class ThirdParty {
  #folders = new Set();
  #bundler;

  /** `bundler` is the folder of the bundler's package. */
  constructor(bundler) {
    this.#bundler = bundler;
  }

  /** `output` is what rolldown's `generate` and `write` resolve to. Only modules of which something is left count. */
  add({ output }) {
    for (const chunk of output.filter(({ type }) => type === "chunk")) {
      for (const id of chunk.moduleIds) {
        if (BUNDLER.test(id)) this.#folders.add(this.#bundler);
        const [, folder] = PACKAGE.exec(id) ?? [];
        if (folder !== undefined) this.#folders.add(folder);
      }
    }
  }

  write(packageFolder) {
    writeFileSync(join(packageFolder, THIRD_PARTY_FILE), licencesText([...this.#folders]));
  }
}

/** The same packages give the same text, wherever they are installed. */
export function licencesText(folders) {
  const sections = new Map(folders.map((folder) => section(folder)));
  const texts = [...sections].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  const head = "This package contains code of the packages below, under the licences that follow their names.\n";
  return [head, ...texts].join(`\n${"-".repeat(80)}\n\n`);
}

function section(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const texts = licenceTexts(folder);
  if (typeof license !== "string" || texts.length === 0) {
    throw new Error(`${name}@${version} has no licence text: it must not be packed without one.`);
  }
  return [`${name}@${version}`, `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`];
}

/** The files of a package about its licence. A few packages have it in their README only. */
function licenceTexts(folder) {
  const read = (file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim();
  const names = readdirSync(folder).toSorted();
  const files = names.filter((file) => LICENCE_FILE.test(file));
  if (files.length > 0) return files.map(read);
  const readme = names.find((file) => /^readme(\.md)?$/i.test(file));
  const [, text] = LICENCE_SECTION.exec(readme === undefined ? "" : read(readme)) ?? [];
  return text === undefined ? [] : [text.trim()];
}
