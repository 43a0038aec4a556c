import { ability } from "./ability.ts";
import { chat } from "./chat.ts";
import type { Entry } from "./command.ts";
import { complete } from "./complete.ts";
import { completion } from "./completion.ts";
import { demo } from "./demo.ts";
import { disable } from "./disable.ts";
import { enable } from "./enable.ts";
import { events } from "./events.ts";
import { explain } from "./explain.ts";
import { fire } from "./fire.ts";
import { list } from "./list.ts";
import { newFiles } from "./new.ts";
import { run } from "./run.ts";
import { task } from "./task.ts";
import { trust } from "./trust.ts";
import { validate } from "./validate.ts";

/** The command table, in the order in which help shows it. */
export const COMMANDS: readonly Entry[] = [
  run,
  chat,
  demo,
  ability,
  task,
  newFiles,
  list,
  events,
  validate,
  explain,
  fire,
  enable,
  disable,
  trust,
  completion,
  complete,
];
