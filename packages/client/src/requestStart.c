#include "platform.h"

#include "requestStart.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAGIC "HKL1\n"
#define MAGIC_BYTES (sizeof MAGIC - 1)
#define LENGTH_BYTES 4
#define MAX_HEAD_BYTES ((size_t)1024 * 1024)

extern char **environ;

static void put_length(unsigned char *at, size_t length) {
  for (int i = 0; i < LENGTH_BYTES; i++) at[i] = (unsigned char)(length >> (8 * (LENGTH_BYTES - 1 - i)));
}

/* Appends `name` and `value` as one NUL-terminated field. False if the head is full. */
static bool put_field(struct buffer *head, const char *name, const char *value) {
  size_t name_length = strlen(name), value_length = strlen(value);
  if (name_length + value_length >= head->capacity - head->length) return false;
  memcpy(head->bytes + head->length, name, name_length);
  memcpy(head->bytes + head->length + name_length, value, value_length + 1);
  head->length += name_length + value_length + 1;
  return true;
}

static bool put_environment(struct buffer *head) {
  bool fits = put_field(head, "env", "");
  for (char **entry = environ; fits && *entry != NULL; entry++) {
    if (strncmp(*entry, "HOOKLINE_", 9) != 0) fits = put_field(head, *entry, "");
  }
  return fits;
}

/* What is left until then, because the daemon cannot know when this process began. */
static bool put_time_left(struct buffer *head, const char *name, long long deadline) {
  char text[32];
  long long left = deadline - now_ms();
  snprintf(text, sizeof text, "%lld", left > 0 ? left : 0);
  return put_field(head, name, text);
}

static bool put_head(struct buffer *head, const struct call *call) {
  return put_field(head, "version=", "1") && put_field(head, "host=", call->host) &&
         put_field(head, "event=", call->event) && put_field(head, "cwd=", call->cwd) &&
         put_time_left(head, "deadline=", call->deadline) &&
         put_time_left(head, "ask-deadline=", call->ask_deadline) &&
         put_field(head, "trust-project=", call->trust_project ? "1" : "0") && put_environment(head);
}

bool put_request_start(struct buffer *start, const struct call *call, size_t payload_length) {
  static unsigned char bytes[MAGIC_BYTES + LENGTH_BYTES + MAX_HEAD_BYTES + LENGTH_BYTES];
  struct buffer head = {.bytes = bytes + MAGIC_BYTES + LENGTH_BYTES, .capacity = MAX_HEAD_BYTES};
  if (!put_head(&head, call)) return false;
  memcpy(bytes, MAGIC, MAGIC_BYTES);
  put_length(bytes + MAGIC_BYTES, head.length);
  put_length(head.bytes + head.length, payload_length);
  start->bytes = bytes;
  start->length = MAGIC_BYTES + LENGTH_BYTES + head.length + LENGTH_BYTES;
  return true;
}
