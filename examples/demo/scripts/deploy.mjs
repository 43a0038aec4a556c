// Deploys the shop, or says with --dry-run what it would do. There is no server here: a release is a line in releases.txt.
import { appendFileSync, readFileSync } from "node:fs";

const { name, version } = JSON.parse(readFileSync("package.json", "utf8"));
const { region } = JSON.parse(readFileSync("config/production.json", "utf8"));

if (process.argv.includes("--dry-run")) {
  console.log(`Dry run: ${version} would go to ${region}.`);
} else {
  appendFileSync("releases.txt", `${name} ${version} ${region}\n`);
  console.log(`${version} is live in ${region}.`);
}
