// node bench/case.mjs <case> <folder>: prints the row of one case as JSON.
import { CASES } from "./cases/index.mjs";

const [name, dir] = process.argv.slice(2);
const { run } = CASES.find((one) => one.name === name);
console.log(JSON.stringify(await run(name, dir)));
process.exit();
