#ifndef HOOKLINE_PEER_H
#define HOOKLINE_PEER_H

/* Prints the id of the process that connected to the Unix socket on standard input. Returns the exit code. */
int print_peer(void);

#endif
