#include "buffer.h"

#include <stdlib.h>

#define FIRST_CAPACITY ((size_t)64 * 1024)

bool buffer_reserve(struct buffer *buffer, size_t more) {
  size_t needed = buffer->length + more;
  if (needed <= buffer->capacity) return true;
  size_t capacity = buffer->capacity > 0 ? buffer->capacity : FIRST_CAPACITY;
  while (capacity < needed) capacity *= 2;
  unsigned char *bytes = realloc(buffer->bytes, capacity);
  if (bytes == NULL) return false;
  buffer->bytes = bytes;
  buffer->capacity = capacity;
  return true;
}
