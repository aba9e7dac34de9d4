/* Preloaded into a program under test: sets its wall clock while it runs. Monotonic clocks stay unchanged.

     DRAY_CLOCK=path         a file of eight bytes: the seconds by which the clock is ahead of true time, or behind

   libfaketime does not work here: with it, absolute timers of unchanged clocks (timerfd_settime) never end. */

#ifdef __linux__
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t none = 0;
static volatile const int64_t *ahead = &none;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("DRAY_CLOCK");
  int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC) : -1;
  if (fd < 0) return;
  void *map = mmap(NULL, sizeof *ahead, PROT_READ, MAP_SHARED, fd, 0);
  if (map != MAP_FAILED) ahead = map;
  syscall(SYS_close, fd);
  /* Like libfaketime and similar libraries, this moves the environment. */
  setenv("DRAY_CLOCK_IS_SET", "1", 1);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*next)(clockid_t, struct timespec *);
  if (!next) next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = next(clock, now);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *ahead;
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec time;
  (void)zone;
  int result = clock_gettime(CLOCK_REALTIME, &time);
  if (result == 0) *now = (struct timeval){time.tv_sec, time.tv_nsec / 1000};
  return result;
}

time_t time(time_t *now) {
  struct timespec spec;
  if (clock_gettime(CLOCK_REALTIME, &spec) != 0) return -1;
  if (now) *now = spec.tv_sec;
  return spec.tv_sec;
}
#endif
