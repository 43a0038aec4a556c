// Appends a row to the database of an environment: a file, so that the example needs no server.
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";

const { email, name = "" } = JSON.parse(readFileSync(0, "utf8"));
const environment = process.env.HOOKLINE_ENV ?? "";
// Never in production, also when a person starts this script directly.
if (!["dev", "staging"].includes(environment)) throw new Error("This runs in dev and staging only.");

const { database } = JSON.parse(readFileSync(`config/${environment}.json`, "utf8"));
const file = resolve(database.users);
if (relative(resolve("var"), file).startsWith("..")) throw new Error(`${database.users} is outside of var/.`);

mkdirSync(dirname(file), { recursive: true });
appendFileSync(file, `${JSON.stringify({ email, name })}\n`);
const output = { environment, written: { email, name } };
console.log(JSON.stringify({ status: "success", output, changed_files: [database.users] }));
