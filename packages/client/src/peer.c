#include "platform.h"

#include "peer.h"

#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static pid_t peer_of(int fd) {
#ifdef __linux__
  struct ucred peer = {0};
  socklen_t length = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 ? peer.pid : 0;
#else
  pid_t peer = 0;
  socklen_t length = sizeof peer;
  return getsockopt(fd, SOL_LOCAL, LOCAL_PEERPID, &peer, &length) == 0 ? peer : 0;
#endif
}

int print_peer(void) {
  pid_t peer = peer_of(STDIN_FILENO);
  return peer > 0 && dprintf(STDOUT_FILENO, "%ld\n", (long)peer) > 0 ? 0 : 1;
}
