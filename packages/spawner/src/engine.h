#ifndef HOOKLINE_ENGINE_H
#define HOOKLINE_ENGINE_H

#include "bytes.h"

#include <stdbool.h>
#include <stdint.h>

/* The connection to the engine, which started us with one end of a socket pair as descriptor 3. */
#define ENGINE 3

/*
 * A frame, in both directions: its length from the kind on, as four bytes; its kind, one byte; the number of its process, four
 * bytes; its body.
 */
#define FRAME_LENGTH ((size_t)4)
#define FRAME_HEAD ((size_t)9)

enum request {
  /* The input of the processes that are started from now on: the bytes themselves. */
  INPUT_BYTES = 'i',
  /* Start a process: how many bytes of each output are wanted, how many arguments and variables, all as four bytes; then, each ended by
     a NUL: the folder, the arguments, the variables. */
  RUN = 'r',
  /* Send a signal to its group: its process id and the signal, as four bytes each. */
  SEND_SIGNAL = 'k',
  /* Read and drop what is left of an output, '1' or '2'. */
  DROP_OUTPUT = 'd',
  /* Close an output, '1' or '2'. */
  CLOSE_OUTPUT = 'c',
};

enum report {
  /* We are ready. */
  READY = 'h',
  /* It runs: its process id as four bytes. */
  STARTED = 's',
  /* It cannot be started: errno as four bytes. */
  FAILED = 'f',
  /* We cannot hand over its input: the engine has to start it. */
  UNABLE = 'u',
  /* What it printed; nothing at its end. */
  STDOUT = '1',
  STDERR = '2',
  /* A signal for it was sent, or nothing is left to send it to. */
  SIGNALLED = 'k',
  /* It exited: its exit code and the signal that ended it, as four bytes each. */
  EXITED = 'x',
};

/*
 * Most reports wait a few milliseconds for others, so that a short process wakes the engine only once. Those of an exit and of a
 * failure do not.
 */
void report(enum report kind, uint32_t id, const void *body, size_t length);
void report_numbers(enum report kind, uint32_t id, uint32_t first, uint32_t second);

/* Sends reports that are due, as far as the engine takes them now. False if it is gone. */
bool send_reports(void);
/* How long until reports are due: 0 if they are, and the engine does not take them; -1 if there are none. */
int ms_until_due(void);
/* Whether so much is waiting that no more should be added. */
bool engine_is_busy(void);

/* False if the engine is gone. */
bool receive(void);
/* Whether a whole request has been received. */
bool has_request(void);
/* Passes one request on, which should take no longer than starting a process does. False if it makes no sense. */
bool take_request(bool (*handle)(enum request kind, uint32_t id, const unsigned char *body, size_t length));

#endif
