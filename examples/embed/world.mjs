// What an agent has around it, in small: a conversation, a model that replays a file, tools over a map of files, a screen.
import { readFileSync } from "node:fs";

export const history = [];
export const tell = (part) => history.push({ role: "user", parts: [part] });

/** What hooks have to say to the model, with the next request. */
export const notes = [];
export const note = ({ systemMessage }) => systemMessage && notes.push(systemMessage);

const answers = readFileSync(new URL("model.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");

/** The next answer of the file, whatever is asked. */
export const callModel = async (_request) => JSON.parse(answers.shift());

const files = new Map([["config/app.json", '{ "retries": 3 }']]);

export const tools = {
  async read_file({ file_path }) {
    if (!files.has(file_path)) throw new Error(`There is no ${file_path}.`);
    return { llmContent: files.get(file_path), returnDisplay: `read ${file_path}` };
  },
  async write_file({ file_path, content }) {
    files.set(file_path, content);
    return { llmContent: `Wrote ${JSON.stringify(content)} to ${file_path}.`, returnDisplay: `wrote ${file_path}` };
  },
};

export const declarations = [{ functionDeclarations: Object.keys(tools).map((name) => ({ name })) }];

export const unknownTool = () => Promise.reject(new Error("There is no such tool."));

/** Every line with who said it. */
export const show = (who, text) => console.log(text.replace(/^(?=.)/gm, `${who.padEnd(6)}│ `));
