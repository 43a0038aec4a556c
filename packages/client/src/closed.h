#ifndef HOOKLINE_CLOSED_H
#define HOOKLINE_CLOSED_H

#include <stddef.h>

enum closed { OPEN, CLOSED, MALFORMED };

/*
 * What `run/closed` says about an event of ours in a working folder. An empty folder is unknown, and may be any.
 * closedFile.ts writes the file, and reads it in the same way.
 */
enum closed read_closed(const char *text, size_t length, const char *event, const char *cwd);

#endif
