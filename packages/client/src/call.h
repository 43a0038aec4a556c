#ifndef HOOKLINE_CALL_H
#define HOOKLINE_CALL_H

#include <stdbool.h>

/* Why there is no answer from the daemon; NULL if nothing is wrong. A constant text, for `run/missed`. */
typedef const char *why_not;

/* What the host asks, from the command line. */
struct call {
  const char *host;
  const char *event;
  /* A real path; empty if the folder has none. */
  char cwd[16 * 1024];
  bool trust_project;
  /* On the clock of now_ms. */
  long long deadline;
  long long ask_deadline;
};

why_not read_call(struct call *call, int argc, char **argv);

/* Milliseconds on a monotonic clock. */
long long now_ms(void);

/* Waits for an event of poll on a descriptor until the deadline. False if it passes. */
bool wait_for(int fd, short events, long long deadline);

#endif
