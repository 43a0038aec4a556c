#ifndef HOOKLINE_CONNECTION_H
#define HOOKLINE_CONNECTION_H

#include "buffer.h"
#include "frames.h"
#include "runFolder.h"

/* The daemon's answer; `answer` refers to the bytes that were received. */
struct reply {
  struct buffer received;
  struct frames answer;
};

/* Asks the daemon, which is started if none listens, and waits for a whole answer until the deadline. */
why_not ask_daemon(const struct call *call, const struct run_folder *run, const struct buffer *payload,
                   struct reply *reply);

#endif
