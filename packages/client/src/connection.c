#include "platform.h"

#include "connection.h"

#include "daemonStart.h"
#include "requestStart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

/* Longer paths do not fit into an address on every system. */
#define MAX_SOCKET_PATH 100
#define FIRST_PAUSE_MS 2
#define LONGEST_PAUSE_MS 50

static const char TOO_LATE[] = "the daemon did not answer before the deadline";
static const char TORN_ANSWER[] = "the daemon's answer was torn";
/* The request cannot have been read whole, so it may be sent again. */
static const char RESET[] = "the daemon ended before it had read the call";

/* The path of a socket in another folder, which only this user may enter. Empty as long as no daemon has made one. */
static why_not read_socket_path(const struct run_folder *run, char *path) {
  errno = 0;
  int fd = open_own_file(run, "socket");
  path[0] = '\0';
  if (fd < 0) return errno == ENOENT ? NULL : "the path of the socket is too long, and `run/socket` is not ours";
  ssize_t length = read(fd, path, MAX_SOCKET_PATH + 1);
  close(fd);
  if (length > 0 && path[length - 1] == '\n') length--;
  if (length <= 0 || length >= MAX_SOCKET_PATH) return "`run/socket` does not have a path under 100 bytes";
  path[length] = '\0';
  char *slash = strrchr(path, '/');
  if (path[0] != '/' || slash == path || strlen(path) != (size_t)length || strchr(path, '\n') != NULL) {
    return "`run/socket` does not have an absolute path";
  }
  struct stat folder;
  *slash = '\0';
  int found = lstat(path, &folder);
  *slash = '/';
  if (found != 0 && errno == ENOENT) {
    path[0] = '\0'; /* Temporary folders are cleaned up; the next daemon makes another. */
    return NULL;
  }
  if (found != 0 || !S_ISDIR(folder.st_mode) || folder.st_uid != geteuid() || (folder.st_mode & 0777) != 0700) {
    return "the folder of the socket is not one that only this user may enter";
  }
  return NULL;
}

static why_not find_socket(const struct run_folder *run, char *path) {
  static const char NAME[] = "/daemon.sock";
  size_t length = strlen(run->path);
  if (length + sizeof NAME - 1 >= MAX_SOCKET_PATH) return read_socket_path(run, path);
  memcpy(path, run->path, length);
  memcpy(path + length, NAME, sizeof NAME);
  return NULL;
}

static bool is_peer_ours(int fd) {
#ifdef __linux__
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
#else
  uid_t user;
  gid_t group;
  return getpeereid(fd, &user, &group) == 0 && user == geteuid();
#endif
}

/* *fd stays -1 if no process listens; errno is EAGAIN if the daemon has too many connections to accept another. */
static why_not try_to_connect(const char *path, int *fd) {
  struct stat file;
  if (path[0] == '\0') return NULL;
  if (lstat(path, &file) != 0) return errno == ENOENT ? NULL : "the socket cannot be looked at";
  if (!S_ISSOCK(file.st_mode) || file.st_uid != geteuid()) {
    return "the socket belongs to another user, or is not a socket";
  }
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path, path, strlen(path));
  int new = socket(AF_UNIX, SOCK_STREAM, 0);
  if (new < 0) return "no socket can be made";
  fcntl(new, F_SETFD, FD_CLOEXEC);
  fcntl(new, F_SETFL, O_NONBLOCK);
  if (connect(new, (struct sockaddr *)&address, sizeof address) == 0) {
    if (!is_peer_ours(new)) {
      close(new);
      return "another user listens on the socket";
    }
    *fd = new;
    return NULL;
  }
  int failure = errno;
  close(new);
  errno = failure;
  bool may_come = failure == ENOENT || failure == ECONNREFUSED || failure == EAGAIN;
  return may_come ? NULL : "the socket takes no connection";
}

static why_not connect_in_time(const struct call *call, const struct run_folder *run, int *fd) {
  char path[MAX_SOCKET_PATH + 2];
  why_not why = NULL;
  struct daemon_start start = NO_START;
  for (int pause = FIRST_PAUSE_MS; why == NULL; pause = pause * 2 < LONGEST_PAUSE_MS ? pause * 2 : LONGEST_PAUSE_MS) {
    why = find_socket(run, path);
    errno = 0;
    if (why == NULL) why = try_to_connect(path, fd);
    if (why != NULL || *fd >= 0) break;
    if (errno != EAGAIN) why = keep_starting(run, &start);
    long long left = call->deadline - now_ms();
    if (why == NULL && left <= 0) why = "no daemon listened before the deadline";
    if (why == NULL) wait_for_daemon(&start, left < pause ? (int)left : pause);
  }
  end_start(&start);
  return why;
}

static why_not send_all(int fd, struct iovec *parts, int count, long long deadline) {
  while (count > 0) {
    ssize_t sent = writev(fd, parts, count);
    if (sent < 0 && errno == EAGAIN) {
      if (!wait_for(fd, POLLOUT, deadline)) return TOO_LATE;
    } else if (sent < 0 && errno != EINTR) {
      return RESET;
    }
    for (; sent >= 0 && count > 0 && (size_t)sent >= parts->iov_len; parts++, count--) sent -= (ssize_t)parts->iov_len;
    if (sent <= 0 || count == 0) continue;
    parts->iov_base = (char *)parts->iov_base + sent;
    parts->iov_len -= (size_t)sent;
  }
  return NULL;
}

static why_not send_request(int fd, const struct call *call, const struct buffer *payload) {
  struct buffer start = {0};
  if (!put_request_start(&start, call, payload->length)) return "the environment is larger than 1 MB";
  struct iovec parts[] = {
      {.iov_base = start.bytes, .iov_len = start.length},
      {.iov_base = payload->bytes, .iov_len = payload->length},
  };
  return send_all(fd, parts, 2, call->deadline);
}

/* Returns TORN_ANSWER at the end of the connection. */
static why_not receive(int fd, struct buffer *received, size_t wanted, size_t *got) {
  if (!buffer_reserve(received, wanted)) return "there is not enough memory for the answer";
  ssize_t bytes = read(fd, received->bytes + received->length, received->capacity - received->length);
  if (bytes < 0 && errno == ECONNRESET && received->length == 0) return RESET;
  if (bytes < 0) return errno == EAGAIN || errno == EINTR ? NULL : TORN_ANSWER;
  *got = (size_t)bytes;
  received->length += *got;
  return bytes == 0 ? TORN_ANSWER : NULL;
}

static why_not read_reply(int fd, const struct call *call, struct reply *reply) {
  struct buffer *received = &reply->received;
  enum reading state = UNFINISHED;
  while (state == UNFINISHED) {
    if (!wait_for(fd, POLLIN, reply->answer.person_is_asked ? call->ask_deadline : call->deadline)) return TOO_LATE;
    size_t got = 0;
    size_t wanted = frames_end(&reply->answer, received->bytes, received->length) - received->length;
    /* One byte more than the frame has, so that one more after the answer is seen. */
    why_not why = receive(fd, received, wanted + 1, &got);
    if (why != NULL) return why;
    if (got > 0) state = read_frames(&reply->answer, received->bytes, received->length);
  }
  return state == ANSWERED ? NULL : TORN_ANSWER;
}

why_not ask_daemon(const struct call *call, const struct run_folder *run, const struct buffer *payload,
                   struct reply *reply) {
  why_not why = RESET;
  for (int attempt = 0; attempt < 2 && why == RESET; attempt++) {
    int fd = -1;
    why = connect_in_time(call, run, &fd);
    if (why != NULL) return why;
    why = send_request(fd, call, payload);
    if (why == NULL) why = read_reply(fd, call, reply);
    close(fd);
  }
  return why;
}
