import { cases as agent } from "./agent.mjs";
import { cases as bus } from "./bus.mjs";
import { cases as client } from "./client.mjs";
import { cases as command } from "./command.mjs";
import { cases as daemon } from "./daemon.mjs";
import { cases as endurance } from "./endurance.mjs";
import { cases as http } from "./http.mjs";
import { cases as install } from "./install.mjs";
import { cases as journal } from "./journal.mjs";
import { cases as journalQueries } from "./journalQueries.mjs";
import { cases as matching } from "./matching.mjs";
import { cases as model } from "./model.mjs";
import { cases as plugin } from "./plugin.mjs";
import { cases as runtime } from "./runtime.mjs";
import { cases as startUp } from "./startUp.mjs";
import { cases as task } from "./task.mjs";
import { cases as telemetry } from "./telemetry.mjs";
import { cases as worker } from "./worker.mjs";

/** A case is a name, a function that answers its row, and whether all of it has to share one processor. */
export const CASES = [
  ...matching,
  ...runtime,
  ...plugin,
  ...command,
  ...client,
  ...daemon,
  ...worker,
  ...http,
  ...model,
  ...bus,
  ...telemetry,
  ...agent,
  ...task,
  ...journal,
  ...journalQueries,
  ...startUp,
  ...install,
  ...endurance,
];
