#ifndef HOOKLINE_START_H
#define HOOKLINE_START_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts a process, as the leader of its own session, and reports what became of it. False if the request makes no sense. */
bool start_process(uint32_t id, const unsigned char *body, size_t length);

#endif
