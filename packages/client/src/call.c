#include "platform.h"

#include "call.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A day: no host waits longer, and poll takes it. */
#define MAX_DEADLINE_MS 86400000LL

static bool read_ms(const char *text, long long *ms) {
  *ms = 0;
  if (*text == '\0') return false;
  for (; *text != '\0'; text++) {
    if (*text < '0' || *text > '9') return false;
    *ms = *ms * 10 + (*text - '0');
    if (*ms > MAX_DEADLINE_MS) return false;
  }
  return true;
}

/* The kernel's path is real. The libraries of some systems return a path that leads through links. */
static void read_cwd(char *cwd, size_t size) {
  if (getcwd(cwd, size) == NULL || cwd[0] != '/') cwd[0] = '\0';
#ifndef __linux__
  static char real[PATH_MAX];
  if (realpath(cwd, real) == NULL) cwd[0] = '\0';
  else memcpy(cwd, real, strlen(real) + 1);
#endif
}

why_not read_call(struct call *call, int argc, char **argv) {
  long long started = now_ms();
  const char *deadline = NULL, *ask_deadline = NULL;
  long long deadline_ms = 0, ask_deadline_ms = 0;
  call->host = argv[1];
  call->event = argv[2];
  read_cwd(call->cwd, sizeof call->cwd);
  for (int i = 3; i < argc; i++) {
    bool has_value = i + 1 < argc;
    if (strcmp(argv[i], "--trust-project") == 0) call->trust_project = true;
    else if (strcmp(argv[i], "--deadline") == 0 && has_value) deadline = argv[++i];
    else if (strcmp(argv[i], "--ask-deadline") == 0 && has_value) ask_deadline = argv[++i];
    else return "the command line has an option that this client does not know";
  }
  if (deadline == NULL || !read_ms(deadline, &deadline_ms) || ask_deadline == NULL ||
      !read_ms(ask_deadline, &ask_deadline_ms)) {
    return "the command line has no valid --deadline and --ask-deadline in milliseconds";
  }
  if (ask_deadline_ms < deadline_ms) ask_deadline_ms = deadline_ms;
  call->deadline = started + deadline_ms;
  call->ask_deadline = started + ask_deadline_ms;
  return call->cwd[0] == '\0' ? "the working folder has no path" : NULL;
}

long long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

bool wait_for(int fd, short events, long long deadline) {
  for (;;) {
    long long left = deadline - now_ms();
    if (left <= 0) return false;
    struct pollfd one = {.fd = fd, .events = events};
    int ready = poll(&one, 1, (int)left);
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}
