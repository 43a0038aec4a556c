#include "platform.h"

#include "engine.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define READ_STEP ((size_t)64 * 1024)
/* How long reports wait for others, and how many bytes of them. */
#define GATHER_MS 5
#define GATHER_BYTES ((size_t)64 * 1024)
/* With more than this to send, outputs are not read. */
#define MOST_UNSENT ((size_t)1024 * 1024)

static struct bytes received;
static struct bytes waiting;
/* When the first of the waiting reports was made. */
static long long waiting_since;
static bool is_urgent;

static long long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void report(enum report kind, uint32_t id, const void *body, size_t length) {
  if (waiting.length == 0) waiting_since = now_ms();
  if (kind == READY || kind == FAILED || kind == UNABLE || kind == EXITED) is_urgent = true;
  unsigned char head[FRAME_HEAD];
  uint32_t frame_length = (uint32_t)(FRAME_HEAD - FRAME_LENGTH + length);
  memcpy(head, &frame_length, sizeof frame_length);
  head[FRAME_LENGTH] = (unsigned char)kind;
  memcpy(head + FRAME_LENGTH + 1, &id, sizeof id);
  bytes_add(&waiting, head, sizeof head);
  bytes_add(&waiting, body, length);
}

void report_numbers(enum report kind, uint32_t id, uint32_t first, uint32_t second) {
  uint32_t numbers[] = {first, second};
  report(kind, id, numbers, sizeof numbers);
}

int ms_until_due(void) {
  if (waiting.length == 0) return -1;
  if (is_urgent || waiting.length >= GATHER_BYTES) return 0;
  long long left = waiting_since + GATHER_MS - now_ms();
  return left > 0 ? (int)left : 0;
}

bool engine_is_busy(void) {
  return waiting.length > MOST_UNSENT;
}

bool send_reports(void) {
  if (ms_until_due() != 0) return true;
  is_urgent = true; /* also what is left if the engine takes only a part */
  while (waiting.length > 0) {
    ssize_t sent = send(ENGINE, waiting.at, waiting.length, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return errno == EAGAIN;
    bytes_drop(&waiting, (size_t)sent);
  }
  is_urgent = false;
  return true;
}

bool receive(void) {
  bytes_reserve(&received, READ_STEP);
  ssize_t got = recv(ENGINE, received.at + received.length, received.capacity - received.length, MSG_DONTWAIT);
  if (got < 0) return errno == EINTR || errno == EAGAIN;
  received.length += (size_t)got;
  return got > 0;
}

bool has_request(void) {
  return received.length >= FRAME_HEAD && received.length >= FRAME_LENGTH + number_at(received.at);
}

bool take_request(bool (*handle)(enum request kind, uint32_t id, const unsigned char *body, size_t length)) {
  const unsigned char *frame = received.at;
  size_t length = FRAME_LENGTH + number_at(frame);
  if (length < FRAME_HEAD) return false;
  uint32_t id = number_at(frame + FRAME_LENGTH + 1);
  bool makes_sense = handle(frame[FRAME_LENGTH], id, frame + FRAME_HEAD, length - FRAME_HEAD);
  bytes_drop(&received, length);
  return makes_sense;
}
