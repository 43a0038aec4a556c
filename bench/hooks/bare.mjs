// The least a warm Node process can do with a line: parse it, print an answer.
let begun = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  begun += chunk;
  const lines = begun.split("\n");
  begun = lines.pop();
  for (const line of lines) process.stdout.write(`${JSON.stringify(JSON.parse(line))}\n`);
});
