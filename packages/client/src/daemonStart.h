#ifndef HOOKLINE_DAEMON_START_H
#define HOOKLINE_DAEMON_START_H

#include "runFolder.h"

/* The daemon that this client starts, until it listens. */
struct daemon_start {
  /* Of several clients, the one that has it starts the daemon, while the others wait. */
  int lock;
  /* Readable once the daemon has ended. */
  int life;
  int count;
  /* When another daemon was first seen to be in the way. */
  long long held_since;
};

#define NO_START ((struct daemon_start){.lock = -1, .life = -1})

/*
 * Call it as long as no daemon listens. Starts what `run/daemon.start` names, detached from this process and its host, unless another client
 * does. Returns why no daemon will come; NULL as long as one may.
 */
why_not keep_starting(const struct run_folder *run, struct daemon_start *start);

/* Waits that long, or until the daemon has ended. */
void wait_for_daemon(const struct daemon_start *start, int ms);

void end_start(struct daemon_start *start);

#endif
