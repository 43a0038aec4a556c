#ifndef HOOKLINE_INPUT_H
#define HOOKLINE_INPUT_H

#include <stdbool.h>
#include <stddef.h>

/* The input of the next processes. */
void set_input(const void *bytes, size_t length);
/*
 * Opens it for one process: a copy in memory that nobody can change any more, also not a process that opens its own
 * /proc/self/fd/0 for writing. Not one for all: a process may change the permissions of its own. -1 if there is none.
 */
int open_input(void);

#endif
