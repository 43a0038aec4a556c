#include "platform.h"

#include "noAnswer.h"

#include "buffer.h"
#include "closed.h"
#include "hosts.h"
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_CLOSED_BYTES ((size_t)16 * 1024 * 1024)
#define MAX_MISSED_BYTES (1024 * 1024)

static const struct host_event *find_host_event(const struct call *call) {
  for (size_t i = 0; i < sizeof HOST_EVENTS / sizeof *HOST_EVENTS; i++) {
    const struct host_event *row = &HOST_EVENTS[i];
    if (strcmp(row->host, call->host) == 0 && strcmp(row->event, call->event) == 0) return row;
  }
  return NULL;
}

static bool read_file(int fd, struct buffer *text) {
  for (;;) {
    if (!buffer_reserve(text, 1)) return false;
    ssize_t got = read(fd, text->bytes + text->length, text->capacity - text->length);
    if (got == 0) return true;
    if (got < 0 && errno != EINTR) return false;
    if (got > 0) text->length += (size_t)got;
    if (text->length > MAX_CLOSED_BYTES) return false;
  }
}

/* Unreadable counts as closed. */
static bool is_closed(const struct run_folder *run, const char *event, const char *cwd) {
  struct buffer text = {0};
  int fd = open_own_file(run, "closed");
  if (fd < 0) return true;
  bool is_read = read_file(fd, &text);
  bool may_pass = is_read && read_closed((const char *)text.bytes, text.length, event, cwd) == OPEN;
  close(fd);
  free(text.bytes);
  return !may_pass;
}

/* Escapes as in `run/closed`, and any other control character as a space. Cuts what does not fit. */
static size_t escape(char *to, size_t size, const char *from) {
  size_t length = 0;
  for (; *from != '\0' && length + 2 < size; from++) {
    unsigned char c = (unsigned char)*from;
    if (c == '\\' || c == '\n' || c == '\t') to[length++] = '\\';
    to[length++] = c == '\n' ? 'n' : c == '\t' ? 't' : c < ' ' || c == 0x7f ? ' ' : *from;
  }
  to[length] = '\0';
  return length;
}

/* In one write, so that lines of several clients do not mix. */
static void note(const struct run_folder *run, const struct call *call, const char *outcome, why_not why) {
  char host[256], event[256], cwd[2048], line[4096];
  struct stat file;
  struct timespec now;
  if (run->fd < 0) return;
  int fd = openat(run->fd, "missed", O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
  if (fd < 0) return;
  escape(host, sizeof host, call->host);
  escape(event, sizeof event, call->event);
  escape(cwd, sizeof cwd, call->cwd);
  clock_gettime(CLOCK_REALTIME, &now);
  long long ms = (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
  int length = snprintf(line, sizeof line, "%lld\t%s\t%s\t%s\t%s\t%s\n", ms, host, event, outcome, why, cwd);
  bool is_ours = fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && file.st_uid == geteuid() && file.st_nlink == 1;
  if (is_ours && file.st_size + length <= MAX_MISSED_BYTES) {
    while (write(fd, line, (size_t)length) < 0 && errno == EINTR) continue;
  }
  close(fd);
}

int end_without_answer(const struct call *call, const struct run_folder *run, why_not why, bool person_is_asked) {
  const struct host_event *row = find_host_event(call);
  bool refuses = row != NULL && row->can_refuse && (person_is_asked || is_closed(run, row->canonical, call->cwd));
  note(run, call, refuses ? "refused" : "passed", why);
  if (!refuses) return 0;
  write_answer(row->no_stdout, strlen(row->no_stdout), row->no_stderr, strlen(row->no_stderr));
  return row->no_exit_code;
}
