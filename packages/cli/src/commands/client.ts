import { runNodeClient } from "../hosts/nodeClient/nodeClient.ts";
import type { Command } from "../terminal/command.ts";

/** What an agent starts for its hooks where there is no native client. */
export const client: Command = {
  name: "client",
  summary: "answer one hook of an agent",
  hidden: true,
  parameters: [
    { name: "home", description: "the home folder that hookline was installed for", required: true },
    { name: "host", description: "the agent", required: true },
    { name: "event", description: "its event", required: true },
  ],
  options: [
    { flags: "--deadline <ms>", description: "for the answer" },
    { flags: "--ask-deadline <ms>", description: "for the answer, if a person is asked" },
    { flags: "--env-from <descriptor>", description: "the agent's variables, as Base64 of what `env -0` prints" },
    { flags: "--trust-project", description: "run the hooks of every project" },
  ],
  examples: [],
  run: (io, given) => runNodeClient(io, given),
};
