#include "platform.h"

#include "bytes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_CAPACITY ((size_t)64 * 1024)
/* More than that is given back once it is empty: inputs can be large. */
#define MOST_KEPT ((size_t)4 * 1024 * 1024)

void bytes_reserve(struct bytes *bytes, size_t more) {
  size_t needed = bytes->length + more;
  if (needed <= bytes->capacity) return;
  size_t capacity = bytes->capacity > 0 ? bytes->capacity : FIRST_CAPACITY;
  while (capacity < needed) capacity *= 2;
  bytes->at = realloc(bytes->at, capacity);
  if (bytes->at == NULL) _exit(1);
  bytes->capacity = capacity;
}

void bytes_add(struct bytes *bytes, const void *from, size_t length) {
  bytes_reserve(bytes, length);
  if (length > 0) memcpy(bytes->at + bytes->length, from, length);
  bytes->length += length;
}

void bytes_drop(struct bytes *bytes, size_t length) {
  bytes->length -= length;
  if (bytes->length > 0) memmove(bytes->at, bytes->at + length, bytes->length);
  else if (bytes->capacity > MOST_KEPT) {
    free(bytes->at);
    *bytes = (struct bytes){0};
  }
}

uint32_t number_at(const unsigned char *at) {
  uint32_t number;
  memcpy(&number, at, sizeof number);
  return number;
}
