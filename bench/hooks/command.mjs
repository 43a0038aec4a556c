// The Node worker's hook as a command: a process per event.
let text = "";
for await (const chunk of process.stdin) text += chunk;
console.log(JSON.stringify({ decision: "allow", systemMessage: JSON.parse(text).tool_name }));
