#include "platform.h"

#include "daemonStart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

#define MAX_ARGUMENTS 32

/* Of the pipe that tells this client whether the daemon still runs: its end closes with the process. */
#define LIFE 3
#define NOT_RUN 'x'
#define MOST_STARTS 2
/* A daemon that lost its socket notices within 10 s (socketWatch.ts). */
#define HOLDER_MS 20000

/* NUL-terminated arguments; the interpreter and the program are absolute paths. */
static bool read_arguments(int fd, char *text, size_t size, char **arguments) {
  ssize_t length = read(fd, text, size);
  if (length <= 0 || (size_t)length == size || text[length - 1] != '\0') return false;
  size_t count = 0;
  for (char *at = text; at < text + length; at += strlen(at) + 1) {
    if (count == MAX_ARGUMENTS) return false;
    arguments[count++] = at;
  }
  arguments[count] = NULL;
  return count >= 2 && arguments[0][0] == '/' && arguments[1][0] == '/';
}

/*
 * All variables of the daemon. None is the agent's: a repository may have set it, and PATH, OPENSSL_CONF or NODE_OPTIONS could then run the
 * repository's code in a process that answers for every project. daemonEnvironment.ts has the same.
 */
static char **daemon_environment(char **arguments) {
  static char path[] = "PATH=/usr/local/bin:/usr/bin:/bin";
  static char home[8 * 1024];
  static char *env[3] = {path};
  for (char **at = arguments; at[0] != NULL && at[1] != NULL; at++) {
    if (strcmp(at[0], "--home") != 0) continue;
    int length = snprintf(home, sizeof home, "HOME=%s", at[1]);
    env[1] = length > 0 && (size_t)length < sizeof home ? home : NULL;
  }
  return env;
}

static void close_inherited(void) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, LIFE + 1U, ~0U, 0U) == 0) return;
#endif
  struct rlimit limit;
  rlim_t end = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536 ? limit.rlim_cur : 65536;
  for (int fd = LIFE + 1; (rlim_t)fd < end; fd++) close(fd);
}

/* In the new process: it keeps no terminal, descriptor, folder or signal setting of the host. */
static void exec_daemon(char **arguments, int life) {
  int null = open("/dev/null", O_RDWR);
  if (null < 0) _exit(1);
  for (int fd = 0; fd <= 2; fd++) dup2(null, fd);
  if (dup2(life, LIFE) < 0) _exit(1);
  close_inherited();
  int reset[] = {SIGPIPE, SIGINT, SIGHUP, SIGTERM, SIGQUIT, SIGCHLD};
  for (size_t i = 0; i < sizeof reset / sizeof *reset; i++) signal(reset[i], SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  umask(077);
  if (chdir("/") == 0) execve(arguments[0], arguments, daemon_environment(arguments));
  while (write(LIFE, &(char){NOT_RUN}, 1) < 0 && errno == EINTR) continue;
  _exit(1);
}

/* Through a process in between, so that the daemon is not below the host. */
static why_not fork_daemon(char **arguments, int *life) {
  static const char UNABLE[] = "no daemon runs, and no process can be started";
  int ends[2];
  if (pipe(ends) != 0) return UNABLE;
  pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() == 0) exec_daemon(arguments, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  *life = ends[0];
  if (child < 0) return UNABLE;
  fcntl(*life, F_SETFL, O_NONBLOCK);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
  return NULL;
}

static why_not start_daemon(const struct run_folder *run, struct daemon_start *start) {
  static char text[64 * 1024];
  char *arguments[MAX_ARGUMENTS + 1];
  if (start->lock < 0) {
    int fd = open_own_file(run, "daemon.start");
    if (fd < 0) return "no daemon runs, and `run/daemon.start` is missing or not ours";
    /* If this process ends before the daemon listens, another client tries. */
    if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
      close(fd);
      return NULL;
    }
    start->lock = fd;
  }
  lseek(start->lock, 0, SEEK_SET);
  if (!read_arguments(start->lock, text, sizeof text, arguments)) {
    return "no daemon runs, and `run/daemon.start` is malformed";
  }
  start->count++;
  return fork_daemon(arguments, &start->life);
}

/* Whether a daemon holds the lock of daemonLock.ts, a POSIX one. */
static bool is_daemon_alive(const struct run_folder *run) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  int fd = openat(run->fd, "daemon.lock", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return false;
  bool is_held = fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  close(fd);
  return is_held;
}

/* The daemon that was started has ended. It does so if another one was first, which then listens soon. */
static why_not after_end(const struct run_folder *run, struct daemon_start *start) {
  if (is_daemon_alive(run)) {
    if (start->held_since == 0) start->held_since = now_ms();
    if (now_ms() - start->held_since < HOLDER_MS) return NULL;
    return "a daemon runs, but does not listen; end it, or run `hookline daemon start`";
  }
  if (start->count < MOST_STARTS) return start_daemon(run, start);
  return "the daemon ended while it started; `hookline daemon run` shows why";
}

why_not keep_starting(const struct run_folder *run, struct daemon_start *start) {
  if (start->count == 0) return start_daemon(run, start);
  if (start->life < 0) return after_end(run, start);
  char said;
  ssize_t got = read(start->life, &said, 1);
  if (got < 0) return NULL;
  close(start->life);
  start->life = -1;
  if (got > 0) return "the daemon's program is gone from where `run/daemon.start` says; run `hookline install` again";
  return after_end(run, start);
}

void wait_for_daemon(const struct daemon_start *start, int ms) {
  struct pollfd life = {.fd = start->life, .events = POLLIN};
  poll(&life, 1, ms);
}

void end_start(struct daemon_start *start) {
  if (start->lock >= 0) close(start->lock);
  if (start->life >= 0) close(start->life);
}
