#include "platform.h"

#include "bytes.h"
#include "engine.h"
#include "input.h"
#include "jobs.h"
#include "start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define NUMBERS ((size_t)12)

/* What a request asks for. The texts are in the request. */
struct launch {
  size_t wanted;
  const char *folder;
  char **arguments;
  char **variables;
};

/* Fills in `count` texts and the NULL behind them. Returns where the next begins, NULL if there are not that many. */
static char *take_texts(char *from, const char *end, char **texts, size_t count) {
  for (size_t i = 0; i < count; i++) {
    char *nul = memchr(from, '\0', (size_t)(end - from));
    if (nul == NULL) return NULL;
    texts[i] = from;
    from = nul + 1;
  }
  texts[count] = NULL;
  return from;
}

static bool read_launch(struct launch *launch, const unsigned char *body, size_t length, char *texts[]) {
  size_t argument_count = number_at(body + 4);
  size_t variable_count = number_at(body + 8);
  char *end = (char *)body + length;
  launch->wanted = number_at(body);
  launch->arguments = texts + 2;
  launch->variables = launch->arguments + argument_count + 1;
  char *next = take_texts((char *)body + NUMBERS, end, texts, 1);
  if (next != NULL) next = take_texts(next, end, launch->arguments, argument_count);
  if (next != NULL) next = take_texts(next, end, launch->variables, variable_count);
  launch->folder = texts[0];
  return next == end && argument_count > 0;
}

/* If we are killed, so is the process: nothing would read what it prints. False if we have been killed already. */
static bool end_with(pid_t spawner) {
  return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == spawner;
}

/* The new process. It shares our memory until it runs the program, and we wait for that. */
static void exec_child(const struct launch *launch, pid_t spawner, int input, const int outputs[2],
                       volatile int *failure) {
  sigset_t none;
  sigemptyset(&none);
  if (setsid() >= 0 && end_with(spawner) && chdir(launch->folder) == 0 &&
      dup2(input, STDIN_FILENO) >= 0 && dup2(outputs[0], STDOUT_FILENO) >= 0 && dup2(outputs[1], STDERR_FILENO) >= 0 &&
      sigprocmask(SIG_SETMASK, &none, NULL) == 0) {
    environ = launch->variables;
    execvp(launch->arguments[0], launch->arguments);
  }
  *failure = errno;
  _exit(127);
}

/* Returns errno of what failed, else 0. */
static int start(uint32_t id, const struct launch *launch, int input, int ours[2], int theirs[2]) {
  volatile int failure = 0;
  char **own_variables = environ;
  pid_t spawner = getpid();
  pid_t pid = vfork();
  if (pid == 0) exec_child(launch, spawner, input, theirs, &failure);
  environ = own_variables;
  if (pid < 0) return errno;
  if (failure != 0) {
    waitpid(pid, NULL, 0);
    return failure;
  }
  for (int i = 0; i < 2; i++) fcntl(ours[i], F_SETFL, O_NONBLOCK);
  add_job(id, pid, ours, launch->wanted);
  report_numbers(STARTED, id, (uint32_t)pid, 0);
  return 0;
}

/* Socket pairs, and not pipes: a pipe could be opened through /proc by another process, which could then steal a guard's answer. */
static int start_with_outputs(uint32_t id, const struct launch *launch, int input) {
  int out[2], err[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, out) != 0) return errno;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, err) != 0) {
    int failure = errno;
    close(out[0]);
    close(out[1]);
    return failure;
  }
  int ours[] = {out[0], err[0]};
  int theirs[] = {out[1], err[1]};
  int failure = start(id, launch, input, ours, theirs);
  for (int i = 0; i < 2; i++) {
    close(theirs[i]);
    if (failure != 0) close(ours[i]);
  }
  return failure;
}

bool start_process(uint32_t id, const unsigned char *body, size_t length) {
  if (length < NUMBERS) return false;
  /* Each text takes a byte at least. */
  if (number_at(body + 4) > length || number_at(body + 8) > length) return false;
  char **texts = calloc((size_t)number_at(body + 4) + number_at(body + 8) + 4, sizeof *texts);
  struct launch launch;
  bool is_valid = texts != NULL && read_launch(&launch, body, length, texts);
  if (is_valid) {
    int input = open_input();
    if (input < 0) {
      report(UNABLE, id, NULL, 0);
    } else {
      int failure = start_with_outputs(id, &launch, input);
      close(input);
      if (failure != 0) report_numbers(FAILED, id, (uint32_t)failure, 0);
    }
  }
  free(texts);
  return is_valid;
}
