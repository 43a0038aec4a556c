#ifndef HOOKLINE_INPUT_H
#define HOOKLINE_INPUT_H

#include <stdbool.h>
#include <stddef.h>

/* The input of the next processes. */
void set_input(const void *bytes, size_t length);
/*
 * Opens a sealed copy for one process: no process can change it, not even through /proc/self/fd/0. Not one for all: a process may change the
 * permissions of its own. -1 if there is none.
 */
int open_input(void);

#endif
