#ifndef HOOKLINE_REQUEST_START_H
#define HOOKLINE_REQUEST_START_H

#include "buffer.h"
#include "call.h"

/*
 * Points the buffer to all of a request that comes before the payload: the name of the protocol, the head, the length of
 * the payload. False if the environment is too large for it.
 */
bool put_request_start(struct buffer *start, const struct call *call, size_t payload_length);

#endif
