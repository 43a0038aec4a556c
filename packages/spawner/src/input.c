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
static pid_t engine;

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

static void replace_input(int file, bool is_whole) {
  if (input >= 0) close(input);
  input = -1;
  if (file < 0) return;
  int seals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
  if (is_whole && fcntl(file, F_ADD_SEALS, seals) == 0) input = file;
  else close(file);
}

void set_input(const void *bytes, size_t length) {
  int file = create();
  replace_input(file, file >= 0 && write_all(file, bytes, length));
}

void remember_engine(void) {
  engine = getppid();
}

void copy_input(int engine_descriptor) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)engine, engine_descriptor);
  /* If the engine has ended, its id may be that of another process. */
  int from = getppid() == engine ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  int file = from < 0 ? -1 : create();
  replace_input(file, file >= 0 && copy_all(file, from));
  if (from >= 0) close(from);
}

int open_input(void) {
  if (input < 0) return -1;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", input);
  /* Opened anew, because processes that share a descriptor's description also share its position. */
  return open(path, O_RDONLY | O_CLOEXEC);
}
