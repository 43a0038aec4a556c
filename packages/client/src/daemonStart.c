#include "platform.h"

#include "daemonStart.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
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
  if (syscall(SYS_close_range, 3U, ~0U, 0U) == 0) return;
#endif
  struct rlimit limit;
  rlim_t end = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536 ? limit.rlim_cur : 65536;
  for (int fd = 3; (rlim_t)fd < end; fd++) close(fd);
}

/* In the process that becomes the daemon: it keeps no terminal, descriptor, folder or signal setting of the host. */
static void become(char **arguments) {
  int null = open("/dev/null", O_RDWR);
  if (null < 0) _exit(1);
  for (int fd = 0; fd <= 2; fd++) dup2(null, fd);
  close_inherited();
  int reset[] = {SIGPIPE, SIGINT, SIGHUP, SIGTERM, SIGQUIT, SIGCHLD};
  for (size_t i = 0; i < sizeof reset / sizeof *reset; i++) signal(reset[i], SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  umask(077);
  if (chdir("/") == 0) execve(arguments[0], arguments, daemon_environment(arguments));
  _exit(1);
}

why_not start_daemon(const struct run_folder *run, int *lock) {
  static char text[64 * 1024];
  char *arguments[MAX_ARGUMENTS + 1];
  int fd = open_own_file(run, "daemon.start");
  if (fd < 0) return "no daemon runs, and `run/daemon.start` is missing or not ours";
  /* If this process ends before the daemon listens, another client tries. */
  if (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    close(fd);
    return NULL;
  }
  if (!read_arguments(fd, text, sizeof text, arguments)) return "no daemon runs, and `run/daemon.start` is malformed";
  pid_t child = fork();
  if (child == 0) {
    setsid();
    if (fork() == 0) become(arguments);
    _exit(0);
  }
  if (child < 0) return "no daemon runs, and no process can be started";
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
  *lock = fd;
  return NULL;
}
