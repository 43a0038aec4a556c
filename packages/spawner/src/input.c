#include "platform.h"

#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

/* Since Linux 6.3, and not in every C library. */
#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

static int input = -1;

static int create(void) {
  unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  int file = memfd_create("hookline-input", flags | MFD_NOEXEC_SEAL);
  return file >= 0 || errno != EINVAL ? file : memfd_create("hookline-input", flags);
}

static bool write_all(int file, const char *bytes, size_t length) {
  size_t at = 0;
  while (at < length) {
    ssize_t written = write(file, bytes + at, length - at);
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) at += (size_t)written;
  }
  return true;
}

static bool copy_all(int file, int from) {
  struct stat facts;
  if (fstat(from, &facts) != 0) return false;
  off_t at = 0;
  while (at < facts.st_size) {
    ssize_t copied = sendfile(file, from, &at, (size_t)(facts.st_size - at));
    if (copied == 0 || (copied < 0 && errno != EINTR)) return false;
  }
  return true;
}

static bool seal(int file) {
  return fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) == 0;
}

void set_input(const void *bytes, size_t length) {
  if (input >= 0) close(input);
  input = create();
  if (input < 0 || (write_all(input, bytes, length) && seal(input))) return;
  close(input);
  input = -1;
}

int open_input(void) {
  int copy = input < 0 ? -1 : create();
  if (copy < 0) return -1;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", copy);
  /* Opened anew: only for reading, and positioned at its start. */
  int opened = copy_all(copy, input) && seal(copy) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  close(copy);
  return opened;
}
