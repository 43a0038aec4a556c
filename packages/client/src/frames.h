#ifndef HOOKLINE_FRAMES_H
#define HOOKLINE_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

enum reading { UNFINISHED, ANSWERED, TORN };

/* Where the reader is in the bytes of a connection, and what it has read. Starts as zeros. */
struct frames {
  size_t at;
  bool person_is_asked;
  int exit_code;
  /* From the start of the bytes. */
  size_t stdout_at, stdout_length;
  size_t stderr_at, stderr_length;
};

/* Reads all bytes that have arrived so far; call it again with more of them. A wait frame sets `person_is_asked`. */
enum reading read_frames(struct frames *frames, const unsigned char *bytes, size_t length);

/* How many bytes the connection has at least, as far as the frames say. */
size_t frames_end(const struct frames *frames, const unsigned char *bytes, size_t length);

#endif
