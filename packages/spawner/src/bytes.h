#ifndef HOOKLINE_BYTES_H
#define HOOKLINE_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that grow at the end. Ends the process if there is no memory: the engine then starts processes itself. */
struct bytes {
  unsigned char *at;
  size_t length;
  size_t capacity;
};

void bytes_reserve(struct bytes *bytes, size_t more);
void bytes_add(struct bytes *bytes, const void *from, size_t length);
/* Drops the first bytes. */
void bytes_drop(struct bytes *bytes, size_t length);

/* Both ends are on one machine, so numbers have its byte order. */
uint32_t number_at(const unsigned char *at);

#endif
