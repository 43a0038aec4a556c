#ifndef HOOKLINE_INPUT_H
#define HOOKLINE_INPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Which process our descriptors come from. Call it first. */
void remember_engine(void);
/*
 * The input of the next processes: a file in memory that nobody can change any more, also not a process that opens its own
 * /proc/self/fd/0 for writing. So the hooks of an event share it.
 */
void set_input(const void *bytes, size_t length);
/* The same, with what a descriptor of the engine's process refers to. */
void copy_input(int engine_descriptor);
/* Opens it for one process, positioned at its start. -1 if there is none. */
int open_input(void);

#endif
