import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { DIALECTS, decodeCall, encodeAnswer } from "../../packages/engine/dist/program.js";

const [host, event, file] = process.argv.slice(2);
const { answer, once } = JSON.parse(readFileSync(file, "utf8"));
const payload = readFileSync(0, "utf8");
appendFileSync(`${file}.log`, `${payload}\n`);
const flag = `${file}.said`;
if (!(once && existsSync(flag))) {
  writeFileSync(flag, "");
  const call = decodeCall(DIALECTS[host], event, JSON.parse(payload));
  const said = encodeAnswer(
    DIALECTS[host],
    call,
    call.parts.map(() => answer),
    { ask: "host" },
  );
  appendFileSync(`${file}.log`, `${JSON.stringify(said)}\n`);
  process.stdout.write(said.stdout);
  process.stderr.write(said.stderr);
  process.exitCode = said.exitCode;
}
