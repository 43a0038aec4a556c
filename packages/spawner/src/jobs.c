#include "platform.h"

#include "bytes.h"
#include "engine.h"
#include "jobs.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define PIECE ((size_t)64 * 1024)

static struct bytes jobs;
static struct bytes polled;

static size_t job_count(void) {
  return jobs.length / sizeof(struct job);
}

static struct job *job_at(size_t index) {
  return (struct job *)(void *)jobs.at + index;
}

void add_job(uint32_t id, pid_t pid, const int fds[2], size_t wanted) {
  struct job job = {.id = id, .pid = pid, .outputs = {{fds[0], wanted}, {fds[1], wanted}}};
  bytes_add(&jobs, &job, sizeof job);
}

struct job *find_job(uint32_t id) {
  for (size_t i = 0; i < job_count(); i++) {
    if (job_at(i)->id == id) return job_at(i);
  }
  return NULL;
}

struct pollfd *poll_jobs(size_t before, nfds_t *count) {
  polled.length = 0;
  bytes_reserve(&polled, (before + 2 * job_count()) * sizeof(struct pollfd));
  struct pollfd *found = (struct pollfd *)(void *)polled.at;
  size_t used = before;
  for (size_t i = 0; i < job_count(); i++) {
    for (size_t k = 0; k < 2; k++) {
      int fd = job_at(i)->outputs[k].fd;
      /* poll takes no more entries than a process may have descriptors, those that it would skip included. */
      if (fd >= 0) found[used++] = (struct pollfd){fd, POLLIN, 0};
    }
  }
  *count = (nfds_t)used;
  return found;
}

static void end_output(const struct job *job, struct output *output, enum report kind) {
  close(output->fd);
  output->fd = -1;
  report(kind, job->id, NULL, 0);
}

/* Reads what is there, at most one piece. Returns how much; 0 if there is nothing more, for now. */
static size_t read_output(struct job *job, int which) {
  static char piece[PIECE];
  struct output *output = &job->outputs[which];
  enum report kind = which == 0 ? STDOUT : STDERR;
  ssize_t got = read(output->fd, piece, sizeof piece);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return 0;
  if (got <= 0) {
    end_output(job, output, kind);
    return 0;
  }
  size_t length = (size_t)got < output->wanted ? (size_t)got : output->wanted;
  if (length > 0) report(kind, job->id, piece, length);
  output->wanted -= length;
  return (size_t)got;
}

/* Reads what has been printed up to now, however much that is. Not more: another process may have the output, and print on. */
static void read_printed(struct job *job, int which) {
  int left = 0;
  if (job->outputs[which].fd < 0 || ioctl(job->outputs[which].fd, FIONREAD, &left) != 0) return;
  for (size_t got = 1; left > 0 && got > 0; left -= (int)got) got = read_output(job, which);
  if (job->outputs[which].fd >= 0) read_output(job, which); /* its end, if it has come */
}

static bool is_over(const struct job *job) {
  return job->has_exited && job->outputs[0].fd < 0 && job->outputs[1].fd < 0;
}

void forget_ended_jobs(void) {
  for (size_t i = job_count(); i-- > 0;) {
    if (!is_over(job_at(i))) continue;
    *job_at(i) = *job_at(job_count() - 1);
    jobs.length -= sizeof(struct job);
  }
}

void read_outputs(const struct pollfd *found) {
  for (size_t i = 0; i < job_count(); i++) {
    for (int k = 0; k < 2; k++) {
      if (job_at(i)->outputs[k].fd < 0) continue;
      if (found->revents != 0) read_output(job_at(i), k);
      found++;
    }
  }
}

void reap_jobs(void) {
  for (size_t i = 0; i < job_count(); i++) {
    struct job *job = job_at(i);
    int status = 0;
    if (job->has_exited || waitpid(job->pid, &status, WNOHANG) != job->pid) continue;
    job->has_exited = true;
    /* What it printed comes before its exit. */
    for (int k = 0; k < 2; k++) read_printed(job, k);
    uint32_t code = WIFEXITED(status) ? (uint32_t)WEXITSTATUS(status) : 0;
    uint32_t number = WIFSIGNALED(status) ? (uint32_t)WTERMSIG(status) : 0;
    report_numbers(EXITED, job->id, code, number);
  }
}

void send_signal(const struct job *job, pid_t pid, int number) {
  bool is_reaped = job == NULL || job->has_exited;
  /* A process with the id of a reaped leader is an unrelated one: it got the id after the group was gone. */
  if (!is_reaped || (kill(pid, 0) != 0 && errno == ESRCH)) kill(-pid, number);
}

void drop_output(struct job *job, int which) {
  job->outputs[which].wanted = 0;
}

void close_output(struct job *job, int which) {
  if (job->outputs[which].fd >= 0) close(job->outputs[which].fd);
  job->outputs[which].fd = -1;
}

void kill_jobs(void) {
  for (size_t i = 0; i < job_count(); i++) {
    if (!job_at(i)->has_exited) kill(-job_at(i)->pid, SIGKILL);
  }
}
