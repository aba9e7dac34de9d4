// A line between two network namespaces. Packets sent into a TUN device in one of them come out of the device in the
// other one later, no faster than the line, or not at all. TCP does not notice, so real TCP is measured.
// Usage: line SERVER-NAMESPACE CLIENT-NAMESPACE delay=MS rate=MBIT queue=KIB loss=PERCENT
//             [burst=PACKETS] [change=FACTOR]
//   delay   the travel time of a packet, in each direction
//   rate    Mbit/s in each direction, the headers of IP and TCP included
//   queue   the most that may wait for the line, in each direction; further packets are dropped
//   loss    random loss of packets to the client, after their time on the line; acknowledgements are not lost
//   burst   the mean number of packets that are lost in a row, by default 1; the sum of the losses stays the same
//   change  the factor by which the rate changes in the course of a run, by default 1
// Makes a device "line0" in each namespace and writes "ready"; the caller sets addresses. A number at standard
// input empties the line and seeds the loss, so that compared programs meet the same losses. A second number in the
// same line is the time of the change, in seconds after the first packet. The answer has the counts since the last
// number: packets delivered, dropped at the queue and lost on the way to the client, packets delivered and dropped on
// the way to the server, late packets. Ends when standard input ends.

#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

// Nanoseconds. Packets are moved together every 0.1 ms, as network cards do it: a wake-up for each would take a core of
// a small machine away from the programs. From LATE on, a millisecond, a packet counts as late.
enum { SECOND = 1000000000, GRAIN = 100000, LATE = 1000000 };
// Bytes, but BATCH: packets. A packet has MOST at most; a ring has SPARE more than the packets under way need.
enum { MOST = 2048, BATCH = 512, SPARE = 1 << 20 };

struct packet {
  int64_t due;
  size_t size;
  unsigned char data[];
};

// One direction of the line. Packets under way lie in a ring of bytes, in the order in which they are due.
struct direction {
  int from, to;
  double per_byte;  // nanoseconds
  int64_t delay;
  double queue;     // bytes
  double loss;      // 0…1
  double burst;     // the mean number of packets in a row that are lost
  int losing;       // whether such a row goes on
  double change;    // the factor on the rate from `change_after` on
  int64_t change_after, first;  // nanoseconds after the first packet, and when that came; 0 for none
  int64_t free;     // when the line will have sent all that waits
  unsigned char *ring;
  size_t ring_size, head, tail;  // of all bytes ever: put in at the head, taken out at the tail
  unsigned long delivered, dropped, lost, late;
};

static uint64_t chance;

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int64_t clock_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * SECOND + time.tv_nsec;
}

// The next number from 0 up to 1, by SplitMix64, which accepts any seed.
static double draw(void) {
  uint64_t mixed = chance += 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return (double)((mixed ^ (mixed >> 31)) >> 11) * 0x1p-53;
}

// A device in a namespace; the process stays there.
static int make_device(const char *namespace) {
  char path[4096];
  snprintf(path, sizeof path, "/run/netns/%s", namespace);
  int place = open(path, O_RDONLY | O_CLOEXEC);
  if (place < 0 || setns(place, CLONE_NEWNET)) fail(path);
  close(place);
  int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  struct ifreq request = {.ifr_name = "line0", .ifr_flags = IFF_TUN | IFF_NO_PI};
  if (device < 0 || ioctl(device, TUNSETIFF, &request)) fail("/dev/net/tun");
  return device;
}

// The ring is mapped twice in a row, so a packet that crosses its end is contiguous, too.
static void make_ring(struct direction *it) {
  double fastest = it->change > 1 ? it->per_byte / it->change : it->per_byte;
  double under_way = it->queue + (double)it->delay / fastest;
  it->ring_size = SPARE;
  // Twice: the head of a record is not small next to an acknowledgement.
  while ((double)it->ring_size < 2 * (under_way + SPARE)) it->ring_size *= 2;
  int memory = memfd_create("line", MFD_CLOEXEC);
  if (memory < 0 || ftruncate(memory, (off_t)it->ring_size)) fail("memfd");
  it->ring = mmap(NULL, 2 * it->ring_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (size_t half = 0; half < 2; half++)
    if (it->ring == MAP_FAILED || mmap(it->ring + half * it->ring_size, it->ring_size, PROT_READ | PROT_WRITE,
                                       MAP_SHARED | MAP_FIXED, memory, 0) == MAP_FAILED) fail("mmap");
  close(memory);
}

static struct packet *packet_at(const struct direction *it, size_t place) {
  return (struct packet *)(it->ring + place % it->ring_size);
}

static size_t room_of(size_t size) { return (sizeof(struct packet) + size + 7) & ~(size_t)7; }

static int is_busy(const struct direction *it) { return it->head != it->tail; }

// Whether the next packet is lost, by the model of Gilbert: in a row of losses all packets are lost.
static int is_lost(struct direction *it) {
  if (it->loss <= 0) return 0;
  if (it->burst <= 1) return draw() < it->loss;
  double switches = it->losing ? 1 / it->burst : it->loss / (it->burst * (1 - it->loss));
  if (draw() < switches) it->losing = !it->losing;
  return it->losing;
}

// Nanoseconds for a byte at this time.
static double pace(const struct direction *it, int64_t time) {
  int is_changed = it->change_after > 0 && it->first > 0 && time - it->first >= it->change_after;
  return is_changed ? it->per_byte / it->change : it->per_byte;
}

// Takes sent packets. They arrived after `since`, the previous call, at an unknown time. The line may have begun
// with them at once, so the rate is correct, however late this process is.
static void take(struct direction *it, int64_t since, int64_t now) {
  for (int n = 0; n < BATCH && it->head - it->tail + room_of(MOST) <= it->ring_size; n++) {
    struct packet *packet = packet_at(it, it->head);
    ssize_t size = read(it->from, packet->data, MOST);
    if (size <= 0) return;
    int64_t begin = it->free > since ? it->free : since;
    if (!it->first) it->first = begin;
    double per_byte = pace(it, begin);
    double waiting = begin > now ? (double)(begin - now) / per_byte : 0;
    if (waiting + (double)size > it->queue) {
      it->dropped++;
      continue;
    }
    it->free = begin + (int64_t)((double)size * per_byte);
    if (is_lost(it)) {
      it->lost++;
      continue;
    }
    packet->due = it->free + it->delay;
    packet->size = (size_t)size;
    it->head += room_of(packet->size);
  }
}

// Delivers arrived packets.
static void give(struct direction *it, int64_t now) {
  while (is_busy(it)) {
    struct packet *packet = packet_at(it, it->tail);
    if (packet->due > now) return;
    if (now - packet->due > LATE) it->late++;
    // A device that is being removed refuses packets: they are lost, as on any line.
    if (write(it->to, packet->data, packet->size) >= 0) it->delivered++;
    it->tail += room_of(packet->size);
  }
}

static void clear(struct direction *it) {
  it->tail = it->head;
  it->free = it->first = it->change_after = 0;
  it->losing = 0;
  it->delivered = it->dropped = it->lost = it->late = 0;
}

// Answers a number at standard input. Returns 0 at its end.
static int obey(struct direction *down, struct direction *up) {
  char text[64];
  ssize_t size = read(STDIN_FILENO, text, sizeof text - 1);
  if (size <= 0) return 0;
  text[size] = 0;
  printf("%lu %lu %lu %lu %lu %lu\n", down->delivered, down->dropped, down->lost, up->delivered, up->dropped,
         down->late + up->late);
  fflush(stdout);
  clear(down), clear(up);
  char *rest = text;
  chance = strtoull(text, &rest, 10);
  down->change_after = up->change_after = (int64_t)(strtod(rest, NULL) * SECOND);
  return 1;
}

// Asks for real-time priority, so that the line does not wait for a processor.
static void be_prompt(void) {
  struct sched_param first = {.sched_priority = 1};
  if (sched_setscheduler(0, SCHED_RR, &first)) setpriority(PRIO_PROCESS, 0, -20);
  prctl(PR_SET_TIMERSLACK, 1);
}

int main(int count, char **arguments) {
  double delay = 0, rate = 0, queue = 0, loss = 0, burst = 1, change = 1;
  for (int n = 3; n < count; n++) {
    if (sscanf(arguments[n], "delay=%lf", &delay) == 1) continue;
    if (sscanf(arguments[n], "rate=%lf", &rate) == 1) continue;
    if (sscanf(arguments[n], "queue=%lf", &queue) == 1) continue;
    if (sscanf(arguments[n], "loss=%lf", &loss) == 1) continue;
    if (sscanf(arguments[n], "burst=%lf", &burst) == 1) continue;
    if (sscanf(arguments[n], "change=%lf", &change) == 1) continue;
    return fprintf(stderr, "line: what is %s?\n", arguments[n]), 2;
  }
  if (count < 3 || delay < 0 || rate <= 0 || queue <= 0 || loss < 0 || loss >= 100 || burst < 1 || change <= 0)
    return fprintf(stderr, "usage: line SERVER-NAMESPACE CLIENT-NAMESPACE delay=MS rate=MBIT queue=KIB loss=PERCENT "
                           "[burst=PACKETS] [change=FACTOR]\n"),
           2;
  int server = make_device(arguments[1]), client = make_device(arguments[2]);
  struct direction down = {
    .from = server, .to = client, .per_byte = 8e3 / rate, .delay = (int64_t)(delay * 1e6), .queue = queue * 1024,
    .change = change};
  struct direction up = down;
  up.from = client, up.to = server;
  down.loss = loss / 100, down.burst = burst;
  make_ring(&down), make_ring(&up);
  be_prompt();
  printf("ready\n"), fflush(stdout);

  struct pollfd news[] = {{STDIN_FILENO, POLLIN, 0}, {server, POLLIN, 0}, {client, POLLIN, 0}};
  struct timespec grain = {.tv_nsec = GRAIN};
  int64_t last = clock_now();
  for (;;) {
    int busy = is_busy(&down) || is_busy(&up);
    ppoll(news, busy ? 1 : 3, busy ? &grain : NULL, NULL);
    int64_t now = clock_now();
    if (!busy) last = now;  // it is what has just come that woke us
    if (news[0].revents && !obey(&down, &up)) return 0;
    take(&down, last, now), take(&up, last, now);
    last = now;
    give(&down, now), give(&up, now);
  }
}
