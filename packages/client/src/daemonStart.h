#ifndef HOOKLINE_DAEMON_START_H
#define HOOKLINE_DAEMON_START_H

#include "runFolder.h"

/*
 * Starts what `run/daemon.start` names, detached from this process and its host. Of several clients one does, while the
 * others wait for its daemon. *lock becomes a descriptor for that one, to be closed when the daemon listens.
 */
why_not start_daemon(const struct run_folder *run, int *lock);

#endif
