// A network path between a client and a server on this machine. It relays TCP connections; bytes from the server are
// slowed down and delayed, smoothly, in steps of a millisecond.
// Usage: proxy PORT SERVER-PORT [rate=BYTES] [total=BYTES] [crawl=K:BYTES] [delay=MS]
//   rate    bytes a second for each connection
//   total   bytes a second for all connections together
//   crawl   the K-th accepted connection gets this rate instead
//   delay   travel time of bytes in milliseconds, in each direction
// Writes "ready" when it listens; at SIGTERM the number of connections, in all and at once, and the bytes delivered.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 256, MARKS = 4096, TICK = 1000000, SHORT = 256 << 10, LONG = 8 << 20 };
// The number of seconds after which unused capacity of a connection or the link expires.
static const double SAVED = 0.003;

// The most bytes under way in one direction of a connection: few, unless there is a delay.
static size_t ring_size = SHORT;

// Bytes under way in one direction. A mark says when the bytes up to a place have arrived.
struct line {
  char *ring;
  size_t head, tail;  // of all bytes ever: written at the head, read at the tail
  struct { double due; size_t upto; } marks[MARKS];
  size_t first, next;
  int ended;          // the sender has closed
};

struct connection {
  int client, server;
  double rate, tokens;
  struct line up, down;
};

static struct connection *connections[MOST];
static int open_now, accepted, most, crawling;
static double rate, total, crawl, delay, total_tokens, now;
static unsigned long long delivered;
static volatile sig_atomic_t stopped;

static void stop(int signal) { stopped = signal; }

static double clock_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int fail(const char *what) {
  perror(what);
  exit(1);
}

// Takes at most `most` bytes from `from` into the line. Returns their number, or -1 when the connection is broken.
static ssize_t take(struct line *line, int from, size_t most) {
  size_t place = line->head % ring_size, room = ring_size - (line->head - line->tail);
  if (room > ring_size - place) room = ring_size - place;
  if (room > most) room = most;
  if (room == 0 || line->ended || line->next - line->first == MARKS) return 0;
  ssize_t got = recv(from, line->ring + place, room, MSG_DONTWAIT);
  if (got < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
  if (got == 0) line->ended = 1;
  line->head += (size_t)got;
  line->marks[line->next % MARKS].due = now + delay;
  line->marks[line->next++ % MARKS].upto = line->head;
  return got;
}

// Passes on arrived bytes. Returns their number, or -1 when the connection is broken.
static ssize_t give(struct line *line, int to) {
  size_t arrived = line->tail, given = 0;
  for (size_t mark = line->first; mark < line->next && line->marks[mark % MARKS].due <= now; mark++)
    arrived = line->marks[mark % MARKS].upto;
  while (line->tail < arrived) {
    size_t place = line->tail % ring_size, length = arrived - line->tail;
    if (length > ring_size - place) length = ring_size - place;
    ssize_t sent = send(to, line->ring + place, length, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) return -1;
    if (sent <= 0) break;
    line->tail += (size_t)sent, given += (size_t)sent;
  }
  while (line->first < line->next && line->marks[line->first % MARKS].upto <= line->tail
         && line->marks[line->first % MARKS].due <= now) line->first++;
  return (ssize_t)given;
}

static int is_over(const struct line *line) { return line->ended && line->first == line->next; }

static void close_connection(int index) {
  struct connection *it = connections[index];
  close(it->client), close(it->server);
  free(it->up.ring), free(it->down.ring), free(it);
  connections[index] = connections[--open_now];
}

static void open_connection(int listener, struct sockaddr_in *server) {
  int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC), one = 1;
  if (client < 0 || open_now == MOST) {
    if (client >= 0) close(client);
    return;
  }
  struct connection *it = calloc(1, sizeof *it);
  it->client = client;
  it->server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(it->server, (struct sockaddr *)server, sizeof *server)) fail("connect");
  setsockopt(it->client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  setsockopt(it->server, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  it->up.ring = malloc(ring_size), it->down.ring = malloc(ring_size);
  it->rate = ++accepted == crawling ? crawl : rate;
  connections[open_now++] = it;
  if (open_now > most) most = open_now;
}

static double smaller(double one, double other) { return one < other ? one : other; }

// Takes bytes from the server as the buckets allow, at most `share` of the common one.
static int receive(struct connection *it, double share) {
  double may = (double)ring_size;
  if (it->rate > 0) may = smaller(may, it->tokens);
  if (total > 0) may = smaller(may, smaller(share, total_tokens));
  if (may < 1) return 1;
  ssize_t got = take(&it->down, it->server, (size_t)may);
  if (got < 0) return 0;
  it->tokens -= (double)got, total_tokens -= (double)got;
  return 1;
}

// One step of all connections, `passed` seconds after the last: more than a tick if this process had to wait for a
// processor, and then proportionally more passes.
static void step(double passed) {
  total_tokens = smaller(total_tokens, SAVED * total) + passed * total;
  for (int n = 0; n < open_now; n++) {
    struct connection *it = connections[n];
    it->tokens = smaller(it->tokens, SAVED * it->rate) + passed * it->rate;
  }
  // All get an equal share of the common bucket; unused shares go to the others in turn.
  static int turn;
  double share = open_now ? total_tokens / open_now : 0;
  turn++;
  for (int n = open_now - 1; n >= 0; n--) {
    struct connection *it = connections[n];
    ssize_t given = 0;
    int fine = receive(it, share) && take(&it->up, it->client, ring_size) >= 0 && give(&it->up, it->server) >= 0
      && (given = give(&it->down, it->client)) >= 0;
    if (given > 0) delivered += (unsigned long long)given;
    if (!fine || is_over(&it->up) || is_over(&it->down)) close_connection(n);
  }
  for (int n = 0; total > 0 && n < open_now; n++) receive(connections[(n + turn) % open_now], total_tokens);
}

int main(int count, char **arguments) {
  if (count < 3) return fprintf(stderr, "usage: proxy PORT SERVER-PORT [NAME=VALUE...]\n"), 2;
  for (int n = 3; n < count; n++) {
    if (sscanf(arguments[n], "rate=%lf", &rate) == 1) continue;
    if (sscanf(arguments[n], "total=%lf", &total) == 1) continue;
    if (sscanf(arguments[n], "crawl=%d:%lf", &crawling, &crawl) == 2) continue;
    if (sscanf(arguments[n], "delay=%lf", &delay) == 1) delay /= 1000, ring_size = LONG;
    else return fprintf(stderr, "proxy: what is %s?\n", arguments[n]), 2;
  }
  struct sigaction action = {.sa_handler = stop};
  sigaction(SIGTERM, &action, NULL);
  struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)}, server = here;
  here.sin_port = htons((uint16_t)atoi(arguments[1])), server.sin_port = htons((uint16_t)atoi(arguments[2]));
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), one = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listener, (struct sockaddr *)&here, sizeof here) || listen(listener, MOST)) fail("listen");
  printf("ready\n"), fflush(stdout);

  struct pollfd news = {.fd = listener, .events = POLLIN};
  struct timespec tick = {.tv_nsec = TICK};
  double last = clock_now();
  while (!stopped) {
    int ready = ppoll(&news, 1, open_now ? &tick : NULL, NULL);
    now = clock_now();
    if (ready > 0 && open_now == 0) last = now;  // nothing was under way meanwhile
    if (ready > 0) open_connection(listener, &server);
    step(now - last);
    last = now;
  }
  printf("connections: %d, at once: %d, bytes: %llu\n", accepted, most, delivered);
  return 0;
}
