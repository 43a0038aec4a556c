#ifndef HOOKLINE_RUN_FOLDER_H
#define HOOKLINE_RUN_FOLDER_H

#include "call.h"

/* `run/` beside the folder of this program. */
struct run_folder {
  char path[8 * 1024];
  /* -1 if there is none that belongs to this user. */
  int fd;
  /* Writable by this user only. */
  bool is_safe;
};

why_not open_run_folder(struct run_folder *run);

/* A file in it that belongs to this user and that no other user may write; -1 otherwise. */
int open_own_file(const struct run_folder *run, const char *name);

#endif
