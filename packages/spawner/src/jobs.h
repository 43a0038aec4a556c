#ifndef HOOKLINE_JOBS_H
#define HOOKLINE_JOBS_H

#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <sys/types.h>

/* What one of our processes prints: our end of a pipe. */
struct output {
  int fd;
  /* How many bytes the engine still wants; the rest is read and dropped. */
  size_t wanted;
};

/* A process that we started, until it has exited and both outputs have ended. */
struct job {
  uint32_t id;
  pid_t pid;
  bool has_exited;
  struct output outputs[2];
};

void add_job(uint32_t id, pid_t pid, const int fds[2], size_t wanted);
/* NULL if there is none any more. */
struct job *find_job(uint32_t id);

/* What `poll` should look at: an array with room for `before` others at its start, and the length of all of it. */
struct pollfd *poll_jobs(size_t before, nfds_t *count);
/* Reads what `poll` found. Call it before anything that adds or removes jobs. */
void read_outputs(const struct pollfd *found);
/* Reaps what has exited. */
void reap_jobs(void);
void forget_ended_jobs(void);

/* To the group of a process of ours, which `job` is unless it has ended. */
void send_signal(const struct job *job, pid_t pid, int number);
void drop_output(struct job *job, int which);
void close_output(struct job *job, int which);
/* Ends everything that runs. */
void kill_jobs(void);

#endif
