/* A libFuzzer target for what the client reads from the daemon and from `run/closed`. */
#include "../src/closed.h"
#include "../src/frames.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void expect(bool holds) {
  if (!holds) abort();
}

/* However the bytes are cut in two, the reader comes to the same end, and never beyond the bytes. */
static void fuzz_frames(const uint8_t *bytes, size_t length, size_t cut) {
  struct frames whole = {0}, pieces = {0};
  enum reading at_once = read_frames(&whole, bytes, length);
  enum reading later = read_frames(&pieces, bytes, cut);
  if (later == UNFINISHED) {
    expect(frames_end(&pieces, bytes, cut) > cut);
    later = read_frames(&pieces, bytes, length);
    expect(later == at_once && pieces.person_is_asked == whole.person_is_asked);
  }
  if (at_once == ANSWERED) {
    expect(whole.stdout_at + whole.stdout_length == whole.stderr_at);
    expect(whole.stderr_at + whole.stderr_length == length);
    expect(later == ANSWERED ? cut <= length : later == TORN);
  }
}

/* A folder below a closed one is closed, and an unknown folder is if any is. */
static void fuzz_closed(const char *text, size_t length, const char *cwd) {
  char below[512];
  enum closed here = read_closed(text, length, "BeforeTool", cwd);
  memcpy(below, cwd, strlen(cwd));
  memcpy(below + strlen(cwd), "/below", sizeof "/below");
  enum closed there = read_closed(text, length, "BeforeTool", below);
  enum closed unknown = read_closed(text, length, "BeforeTool", "");
  expect((here == MALFORMED) == (there == MALFORMED) && (here == MALFORMED) == (unknown == MALFORMED));
  if (here == CLOSED) expect(there == CLOSED && unknown == CLOSED);
  expect(length == 0 || text[length - 1] == '\n' || here == MALFORMED);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0) return 0;
  size_t length = size - 1;
  /* A copy of exactly this size, so that the sanitizer sees a byte too many. */
  uint8_t *bytes = malloc(length == 0 ? 1 : length);
  if (bytes == NULL) return 0;
  memcpy(bytes, data + 1, length);
  fuzz_frames(bytes, length, length == 0 ? 0 : data[0] % (length + 1));
  fuzz_closed((const char *)bytes, length, "/work/shop");
  free(bytes);
  return 0;
}
