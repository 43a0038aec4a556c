#include "closed.h"

#include <stdbool.h>
#include <string.h>

static bool is_name_char(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* Takes one byte of a path, unescaped; -1 if it is malformed. */
static int next_byte(const char **at, const char *end) {
  char c = *(*at)++;
  if (c == '\0' || c == '\t') return -1;
  if (c != '\\') return (unsigned char)c;
  if (*at == end) return -1;
  switch (*(*at)++) {
    case '\\': return '\\';
    case 'n': return '\n';
    case 't': return '\t';
    default: return -1;
  }
}

static bool is_plain_name(const char *start, const char *end) {
  size_t length = (size_t)(end - start);
  bool is_dots = (length == 1 && start[0] == '.') || (length == 2 && start[0] == '.' && start[1] == '.');
  return length > 0 && !is_dots;
}

/* Absolute, without `.`, `..`, doubled or trailing slashes. No escape stands for a slash or a dot. */
static bool is_plain_path(const char *path, const char *end) {
  if (path == end || *path != '/') return false;
  if (end - path == 1) return true;
  for (const char *name = path + 1;; name++) {
    const char *slash = memchr(name, '/', (size_t)(end - name));
    if (!is_plain_name(name, slash == NULL ? end : slash)) return false;
    if (slash == NULL) return true;
    name = slash;
  }
}

static enum closed read_path(const char *path, const char *end, const char *cwd) {
  if (!is_plain_path(path, end)) return MALFORMED;
  bool is_root = end - path == 1;
  bool matches = true;
  size_t length = 0;
  for (const char *at = path; at < end; length++) {
    int byte = next_byte(&at, end);
    if (byte == -1) return MALFORMED;
    matches = matches && (unsigned char)cwd[length] == byte;
  }
  bool is_below = matches && (cwd[length] == '\0' || cwd[length] == '/');
  return is_root || is_below || *cwd == '\0' ? CLOSED : OPEN;
}

static enum closed read_line(const char *line, const char *end, const char *event, const char *cwd) {
  const char *tab = line;
  while (tab < end && is_name_char(*tab)) tab++;
  if (tab == line || tab == end || *tab != '\t') return MALFORMED;
  enum closed path = read_path(tab + 1, end, cwd);
  size_t name_length = (size_t)(tab - line);
  bool is_event = strlen(event) == name_length && memcmp(line, event, name_length) == 0;
  return path == CLOSED && !is_event ? OPEN : path;
}

enum closed read_closed(const char *text, size_t length, const char *event, const char *cwd) {
  const char *end = text + length;
  enum closed found = OPEN;
  for (const char *line = text; line < end;) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    if (newline == NULL) return MALFORMED;
    enum closed said = read_line(line, newline, event, cwd);
    if (said == MALFORMED) return MALFORMED;
    if (said == CLOSED) found = CLOSED;
    line = newline + 1;
  }
  return found;
}
