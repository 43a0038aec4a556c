#ifndef HOOKLINE_BUFFER_H
#define HOOKLINE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/* Of a payload, and of a frame. The daemon has the same limit (wire.ts). */
#define MAX_BYTES ((size_t)64 * 1024 * 1024)

struct buffer {
  unsigned char *bytes;
  size_t length;
  size_t capacity;
};

/* Makes room for that many more bytes. False without memory. */
bool buffer_reserve(struct buffer *buffer, size_t more);

#endif
