#include "frames.h"

#include "buffer.h"

#include <stdint.h>

#define LENGTH_BYTES 4
#define FRAME_HEAD (1 + LENGTH_BYTES)
/* The exit code, and the length of stdout. */
#define ANSWER_HEAD (1 + LENGTH_BYTES)
/* A daemon asks a person once; more than this is not one. */
#define MAX_WAIT_BYTES ((size_t)64 * 1024)

static size_t length_at(const unsigned char *bytes) {
  return (size_t)((uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3]);
}

static enum reading read_answer(struct frames *frames, const unsigned char *body, size_t length) {
  if (length < ANSWER_HEAD) return TORN;
  size_t stdout_length = length_at(body + 1);
  if (stdout_length > length - ANSWER_HEAD) return TORN;
  frames->exit_code = body[0];
  frames->stdout_at = frames->at + FRAME_HEAD + ANSWER_HEAD;
  frames->stdout_length = stdout_length;
  frames->stderr_at = frames->stdout_at + stdout_length;
  frames->stderr_length = length - ANSWER_HEAD - stdout_length;
  return ANSWERED;
}

enum reading read_frames(struct frames *frames, const unsigned char *bytes, size_t length) {
  while (frames->at < length) {
    const unsigned char *frame = bytes + frames->at;
    size_t left = length - frames->at;
    if (frame[0] != 'w' && frame[0] != 'a') return TORN;
    if (left < FRAME_HEAD) return UNFINISHED;
    size_t body_length = length_at(frame + 1);
    if (frame[0] == 'a') {
      if (body_length > MAX_BYTES || left - FRAME_HEAD > body_length) return TORN;
      if (left - FRAME_HEAD < body_length) return UNFINISHED;
      return read_answer(frames, frame + FRAME_HEAD, body_length);
    }
    if (body_length != 0 || frames->at > MAX_WAIT_BYTES) return TORN;
    frames->person_is_asked = true;
    frames->at += FRAME_HEAD;
  }
  return UNFINISHED;
}

size_t frames_end(const struct frames *frames, const unsigned char *bytes, size_t length) {
  size_t left = length - frames->at;
  if (left < FRAME_HEAD) return frames->at + FRAME_HEAD;
  return frames->at + FRAME_HEAD + length_at(bytes + frames->at + 1);
}
