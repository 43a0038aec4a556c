/*
 * hookline-spawn: starts processes for the engine, and tells it what they print and how they end.
 *
 * Node forks to start a process, which copies the tables of all its memory and makes every page that is written afterwards fault
 * once. That takes milliseconds of the agent's thread. This program is small, and shares its memory with a new process until
 * that runs (vfork).
 *
 * The engine is the other end of descriptor 3 (engine.h). When the engine is gone, everything that still runs is killed.
 */
#include "platform.h"

#include "engine.h"
#include "input.h"
#include "jobs.h"
#include "start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FROM_ENGINE, CHILDREN, OTHERS };

static bool handle(enum request kind, uint32_t id, const unsigned char *body, size_t length) {
  struct job *job = find_job(id);
  switch (kind) {
    case INPUT_BYTES:
      set_input(body, length);
      return true;
    case RUN:
      return start_process(id, body, length);
    case SEND_SIGNAL:
      if (length != 8) return false;
      send_signal(job, (pid_t)number_at(body), (int)number_at(body + 4));
      report(SIGNALLED, id, NULL, 0);
      return true;
    case DROP_OUTPUT:
    case CLOSE_OUTPUT:
      if (length != 1 || (body[0] != '1' && body[0] != '2')) return false;
      if (job == NULL) return true;
      if (kind == DROP_OUTPUT) drop_output(job, body[0] - '1');
      else close_output(job, body[0] - '1');
      return true;
  }
  return false;
}

/* Requests that came with the end of the engine: nothing more is started, but what is left of a group gets its signal. */
static bool handle_last(enum request kind, uint32_t id, const unsigned char *body, size_t length) {
  return kind != SEND_SIGNAL || handle(kind, id, body, length);
}

/* A descriptor that tells when a child has exited. */
static int watch_children(void) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
  return signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
}

static bool serve(int children) {
  if (!send_reports()) return false;
  int due = ms_until_due();
  nfds_t count;
  struct pollfd *found = poll_jobs(OTHERS, &count);
  if (engine_is_busy()) count = OTHERS;
  found[FROM_ENGINE] = (struct pollfd){ENGINE, due == 0 ? POLLIN | POLLOUT : POLLIN, 0};
  found[CHILDREN] = (struct pollfd){children, POLLIN, 0};
  int wait = has_request() ? 0 : due == 0 ? -1 : due;
  if (poll(found, count, wait) < 0) return errno == EINTR;
  if (count > OTHERS) read_outputs(found + OTHERS);
  if (found[CHILDREN].revents != 0) {
    struct signalfd_siginfo one;
    while (read(children, &one, sizeof one) == (ssize_t)sizeof one) continue;
    reap_jobs();
  }
  if ((found[FROM_ENGINE].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !receive()) return false;
  /* One at a time: what runs is heard while many others are started. */
  if (has_request() && !take_request(handle)) return false;
  forget_ended_jobs();
  return true;
}

int main(void) {
  /* What the program inherited and did not close is not for the processes that we start. Fails before Linux 5.9. */
  syscall(SYS_close_range, ENGINE + 1, ~0U, 0);
  /* If we are stopped when the engine ends, SIGCONT wakes us to kill our children. */
  prctl(PR_SET_PDEATHSIG, SIGCONT);
  int children = watch_children();
  if (children < 0 || fcntl(ENGINE, F_SETFD, FD_CLOEXEC) != 0 || chdir("/") != 0) return 1;
  report(READY, 0, NULL, 0);
  while (serve(children)) continue;
  while (has_request() && take_request(handle_last)) continue;
  kill_jobs();
  return 0;
}
