#include "platform.h"

#include "output.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static void write_all(int fd, const char *bytes, size_t length) {
  while (length > 0) {
    ssize_t written = write(fd, bytes, length);
    if (written >= 0) {
      bytes += written;
      length -= (size_t)written;
    } else if (errno == EAGAIN) {
      /* The host made its end of the pipe non-blocking, and so ours. */
      struct pollfd one = {.fd = fd, .events = POLLOUT};
      poll(&one, 1, -1);
    } else if (errno != EINTR) {
      return;
    }
  }
}

void write_answer(const void *out, size_t out_length, const void *err, size_t err_length) {
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGINT);
  sigaddset(&ending, SIGHUP);
  sigprocmask(SIG_BLOCK, &ending, NULL);
  write_all(STDOUT_FILENO, out, out_length);
  write_all(STDERR_FILENO, err, err_length);
}
