import type { Entry } from "../terminal/command.ts";
import { ability } from "./ability.ts";
import { approve } from "./approve.ts";
import { asks } from "./asks.ts";
import { chat } from "./chat.ts";
import { client } from "./client.ts";
import { complete } from "./complete.ts";
import { completionOf } from "./completion.ts";
import { daemon } from "./daemon.ts";
import { demo } from "./demo.ts";
import { deny } from "./deny.ts";
import { disable } from "./disable.ts";
import { doctor } from "./doctor.ts";
import { enable } from "./enable.ts";
import { events } from "./events.ts";
import { explain } from "./explain.ts";
import { fire } from "./fire.ts";
import { hosts } from "./hosts.ts";
import { init } from "./init.ts";
import { install } from "./install.ts";
import { list } from "./list.ts";
import { log } from "./log.ts";
import { newCommand } from "./new.ts";
import { replay } from "./replay.ts";
import { run } from "./run.ts";
import { stats } from "./stats.ts";
import { status } from "./status.ts";
import { task } from "./task.ts";
import { test } from "./test.ts";
import { trace } from "./trace.ts";
import { trust } from "./trust.ts";
import { uninstall } from "./uninstall.ts";
import { validate } from "./validate.ts";

/** The command table, in the order in which help shows it. */
export const COMMANDS: readonly Entry[] = [
  run,
  chat,
  demo,
  init,
  install,
  uninstall,
  hosts,
  status,
  ability,
  task,
  newCommand,
  list,
  events,
  validate,
  explain,
  fire,
  test,
  replay,
  log,
  trace,
  stats,
  enable,
  disable,
  trust,
  asks,
  approve,
  deny,
  daemon,
  doctor,
  completionOf(() => COMMANDS),
  complete,
  client,
];
