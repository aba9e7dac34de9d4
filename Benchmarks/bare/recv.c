// The least a download can cost: one GET over plain http, recv and pwrite; only the length is checked, nothing synced.
// Usage: recv ADDRESS PORT PATH FILE

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// The size of one write: the kernel copies from here while the bytes are still in the processor's cache.
enum { BUFFER = 64 << 10 };

static void fail(const char *what) {
  if (errno) perror(what);
  else fprintf(stderr, "recv: %s\n", what);
  exit(1);
}

static void write_whole(int file, const char *bytes, size_t length, off_t offset) {
  while (length > 0) {
    ssize_t written = pwrite(file, bytes, length, offset);
    if (written < 0) fail("pwrite");
    bytes += written, offset += written, length -= (size_t)written;
  }
}

int main(int count, char **arguments) {
  if (count != 5) fail("usage: recv ADDRESS PORT PATH FILE");
  int link = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[2]))};
  inet_pton(AF_INET, arguments[1], &address.sin_addr);
  if (connect(link, (struct sockaddr *)&address, sizeof address)) fail("connect");

  static char buffer[BUFFER + 1];
  static const char request[] = "GET %s HTTP/1.1\r\nHost: %s:%s\r\nConnection: close\r\n\r\n";
  int length = snprintf(buffer, BUFFER, request, arguments[3], arguments[1], arguments[2]);
  if (send(link, buffer, (size_t)length, 0) != length) fail("send");

  size_t have = 0;
  char *body = NULL;
  while (!body) {
    ssize_t got = recv(link, buffer + have, BUFFER - have, 0);
    if (got <= 0) fail("the answer has no head");
    have += (size_t)got;
    buffer[have] = 0;
    body = strstr(buffer, "\r\n\r\n");
  }
  body += 4;
  char *field = strcasestr(buffer, "\r\nContent-Length:");
  if (strncmp(buffer, "HTTP/1.1 200", 12) || !field || field > body) fail("not a 200 with a length");
  off_t size = atoll(field + 17), offset = 0;

  int file = open(arguments[4], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) fail(arguments[4]);
  have -= (size_t)(body - buffer);
  write_whole(file, body, have, offset);
  offset += (off_t)have;
  while (offset < size) {
    // Waits for a whole buffer, or the end.
    ssize_t got = recv(link, buffer, BUFFER, MSG_WAITALL);
    if (got <= 0) fail("the answer ended early");
    write_whole(file, buffer, (size_t)got, offset);
    offset += got;
  }
  if (close(file)) fail("close");
  return 0;
}
