#include "platform.h"

#include "runFolder.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#define RUN "/run"

/* The real path of this program. Not from HOME, PATH or other variables: a repository may have set those. */
static bool find_program(char *path, size_t size) {
#ifdef __APPLE__
  static char given[PATH_MAX], real[PATH_MAX];
  uint32_t given_size = sizeof given;
  if (_NSGetExecutablePath(given, &given_size) != 0 || realpath(given, real) == NULL) return false;
  size_t length = strlen(real);
  if (length >= size) return false;
  memcpy(path, real, length + 1);
#else
  ssize_t length = readlink("/proc/self/exe", path, size - 1);
  if (length <= 0 || (size_t)length == size - 1) return false;
  path[length] = '\0';
#endif
  return path[0] == '/';
}

/* `/a/b` for `/a/b/c`. */
static bool cut_last_name(char *path) {
  char *slash = strrchr(path, '/');
  if (slash == NULL || slash == path) return false;
  *slash = '\0';
  return true;
}

why_not open_run_folder(struct run_folder *run) {
  char *path = run->path;
  run->fd = -1;
  bool is_found = find_program(path, sizeof run->path - sizeof RUN) && cut_last_name(path) && cut_last_name(path);
  if (!is_found) return "this program cannot find its own folder";
  memcpy(path + strlen(path), RUN, sizeof RUN);
  int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat folder;
  if (fd < 0 || fstat(fd, &folder) != 0) return "there is no folder `run` beside the one of this program";
  if (folder.st_uid != geteuid()) return "the folder `run` belongs to another user";
  run->fd = fd;
  run->is_safe = (folder.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  return run->is_safe ? NULL : "other users may write into the folder `run`";
}

int open_own_file(const struct run_folder *run, const char *name) {
  if (!run->is_safe) return -1;
  int fd = openat(run->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return -1;
  struct stat file;
  bool is_own = fstat(fd, &file) == 0 && S_ISREG(file.st_mode) && file.st_uid == geteuid() &&
                (file.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  if (is_own) return fd;
  close(fd);
  return -1;
}
