/*
 * hookline-hook <host> <event> --deadline <ms> --ask-deadline <ms> [--trust-project]
 *
 * hookline-hook --peer: for the daemon (peer.h).
 *
 * A host starts it for a hook. It hands the call to the daemon and prints the answer that the daemon computed. Without
 * an answer it says the host's own "no" if `run/closed` asks for it.
 */
#include "platform.h"

#include "buffer.h"
#include "call.h"
#include "connection.h"
#include "noAnswer.h"
#include "output.h"
#include "peer.h"
#include "runFolder.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAYLOAD_STEP ((size_t)64 * 1024)

static why_not read_payload(struct buffer *payload, long long deadline) {
  for (;;) {
    if (!wait_for(STDIN_FILENO, POLLIN, deadline)) return "the payload did not end before the deadline";
    if (!buffer_reserve(payload, PAYLOAD_STEP)) return "there is not enough memory for the payload";
    ssize_t got = read(STDIN_FILENO, payload->bytes + payload->length, payload->capacity - payload->length);
    if (got == 0) return NULL;
    if (got > 0) payload->length += (size_t)got;
    else if (errno != EINTR && errno != EAGAIN) return "standard input cannot be read";
    if (payload->length > MAX_BYTES) return "the payload is larger than 64 MB";
  }
}

/* A file or socket that is opened later must not become a standard stream that the host closed. */
static bool fill_closed_streams(bool *has_stdin) {
  *has_stdin = fcntl(STDIN_FILENO, F_GETFD) >= 0;
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd) return false;
  }
  return true;
}

static why_not ask(struct call *call, struct run_folder *run, struct reply *reply, int argc, char **argv) {
  struct buffer payload = {0};
  bool has_stdin = false;
  bool has_streams = fill_closed_streams(&has_stdin);
  why_not of_run = open_run_folder(run);
  why_not why = read_call(call, argc, argv);
  if (why == NULL) why = of_run;
  if (why == NULL && !has_streams) why = "a standard stream is closed, and /dev/null cannot be opened";
  if (why == NULL && !has_stdin) why = "standard input is closed";
  if (why == NULL) why = read_payload(&payload, call->deadline);
  if (why == NULL) why = ask_daemon(call, run, &payload, reply);
  free(payload.bytes);
  return why;
}

int main(int argc, char **argv) {
  static struct call call;
  static struct run_folder run;
  static struct reply reply;
  static const char USAGE[] =
      "Usage: hookline-hook <host> <event> --deadline <ms> --ask-deadline <ms> [--trust-project]\n";
  signal(SIGPIPE, SIG_IGN);
  if (argc == 2 && strcmp(argv[1], "--peer") == 0) return print_peer();
  if (argc < 3) {
    write_answer("", 0, USAGE, sizeof USAGE - 1);
    return 1;
  }
  why_not why = ask(&call, &run, &reply, argc, argv);
  if (why != NULL) return end_without_answer(&call, &run, why, reply.answer.person_is_asked);
  const struct frames *answer = &reply.answer;
  const unsigned char *bytes = reply.received.bytes;
  write_answer(bytes + answer->stdout_at, answer->stdout_length, bytes + answer->stderr_at, answer->stderr_length);
  return answer->exit_code;
}
