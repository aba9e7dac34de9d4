/* Preloaded into a program under test: counts the calls that change files, over all threads, and kills the program with
   SIGKILL at one of them, like a crash at that moment.

     DRAY_CRASH_AT=k         the k-th call is not executed; 0 or none: only count
     DRAY_CRASH_CALL=name    instead: the first call of that name, such as renameat2; name:end for a path with that end;
                             a name may end in *, such as pwrite*
     DRAY_CRASH_AFTER=1      the call is executed before the kill
     DRAY_CRASH_TEAR=1       if the call writes, the first half of its bytes is written before the kill
     DRAY_CRASH_STOPS=path   the program is stopped (SIGSTOP) instead, once, at the first such call while a file exists at
                             this path: the call is executed when the program continues, as after a pause of its machine
     DRAY_CRASH_LOSES=name   the first sync of that name, such as fdatasync:.part, does nothing and reports EIO; all later
                             ones succeed, as Linux reports lost bytes to an open file only once
     DRAY_CRASH_LOG=path     the file for the count (struct crash_record)
     DRAY_CRASH_UNSYNCED=a:b syncs of files whose path matches a or b (fnmatch) only report success: tests of
                             a power cut must notice

   Calls count that change a regular file or a directory: not those on sockets, pipes and standard streams, nor creating
   existing files. Calls within libc, such as fopen's, are not seen. */

#include "CrashShim.h"

#ifdef __linux__
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static struct crash_record alone;
static struct crash_record *record = &alone;
static unsigned long long crash_at;
static const char *crash_call, *losing_call;
static char *unsynced;
static int crash_after, crash_tears;
static const char *stops;
static atomic_bool crashing, has_lost, has_stopped;

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("DRAY_CRASH_AT"), *log = getenv("DRAY_CRASH_LOG");
  if (at) crash_at = strtoull(at, NULL, 10);
  crash_call = getenv("DRAY_CRASH_CALL");
  losing_call = getenv("DRAY_CRASH_LOSES");
  crash_after = getenv("DRAY_CRASH_AFTER") != NULL;
  crash_tears = getenv("DRAY_CRASH_TEAR") != NULL;
  stops = getenv("DRAY_CRASH_STOPS");
  if (getenv("DRAY_CRASH_UNSYNCED")) unsynced = strdup(getenv("DRAY_CRASH_UNSYNCED"));
  if (!log) return;
  int fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return;
  if (syscall(SYS_ftruncate, fd, sizeof *record) == 0) {
    void *map = mmap(NULL, sizeof *record, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map != MAP_FAILED) record = map;
  }
  syscall(SYS_close, fd);
}

/* The program stops here: after the kill no other thread may change anything. */
static void wait_for_the_end(void) {
  for (;;) pause();
}

static void die(void) {
  syscall(SYS_kill, syscall(SYS_getpid), 9);
  wait_for_the_end();
}

static void find_path(int fd, const char *path, char *found, size_t size) {
  char link[40];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = path ? snprintf(found, size, "%s", path) : readlink(link, found, size - 1);
  found[length < 0 ? 0 : (size_t)length < size ? (size_t)length : size - 1] = 0;
}

/* Whether a call has the name before the colon, on a path that ends with the text after it. */
static int fits(const char *name, const char *path, const char *wanted) {
  const char *colon = strchr(wanted, ':'), *end = colon ? colon + 1 : "";
  size_t length = colon ? (size_t)(colon - wanted) : strlen(wanted), all = strlen(path);
  int is_start = length > 0 && wanted[length - 1] == '*';
  if (is_start ? strncmp(name, wanted, length - 1) != 0 : strlen(name) != length || strncmp(name, wanted, length) != 0)
    return 0;
  return all >= strlen(end) && strcmp(path + all - strlen(end), end) == 0;
}

/* Whether the program must die at this call; then `found` is its path. */
static int is_chosen(const char *name, unsigned long long number, int fd, const char *path, char *found, size_t size) {
  if (!crash_call) {
    if (number != crash_at) return 0;
    find_path(fd, path, found, size);
    return 1;
  }
  int before = errno;
  find_path(fd, path, found, size);
  errno = before;
  return fits(name, found, crash_call);
}

/* Whether this sync must report lost bytes. */
static int loses(const char *name, int fd) {
  if (!losing_call) return 0;
  int before = errno;
  char found[sizeof record->path];
  find_path(fd, NULL, found, sizeof found);
  errno = before;
  return fits(name, found, losing_call) && !atomic_exchange(&has_lost, 1);
}

static int is_there(int directory, const char *path) {
  int before = errno;
  int is = syscall(SYS_faccessat, directory, path, F_OK) == 0;
  errno = before;
  return is;
}

/* Stops the program before this call. The signal goes to this thread, so that it does not begin the call before. */
static void stop(const char *name, const char *path) {
  int before = errno;
  snprintf(record->name, sizeof record->name, "%s", name);
  snprintf(record->path, sizeof record->path, "%s", path);
  syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), 19);
  errno = before;
}

/* Counts a call; 1 if the program must die at it. */
static int arrive(const char *name, int fd, const char *path) {
  unsigned long long number = __atomic_add_fetch(&record->count, 1, __ATOMIC_SEQ_CST);
  char found[sizeof record->path];
  if (stops) {
    int before = errno;
    if (is_chosen(name, number, fd, path, found, sizeof found) && is_there(AT_FDCWD, stops) &&
        !atomic_exchange(&has_stopped, 1))
      stop(name, found);
    errno = before;
    return 0;
  }
  if (crash_call ? atomic_load(&crashing) : crash_at && number > crash_at) wait_for_the_end();
  if (!is_chosen(name, number, fd, path, found, sizeof found)) return 0;
  if (atomic_exchange(&crashing, 1)) wait_for_the_end();
  snprintf(record->name, sizeof record->name, "%s", name);
  snprintf(record->path, sizeof record->path, "%s", found);
  if (!crash_after && !crash_tears) die();
  return 1;
}

/* Whether a descriptor has persistent bytes: a regular file that is not a standard stream. */
static int lasts(int fd) {
  struct stat info;
  int before = errno;
  int is = fd > 2 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  errno = before;
  return is;
}

/* Whether syncs of this file do nothing. */
static int is_unsynced(int fd) {
  if (!unsynced) return 0;
  int before = errno, is = 0;
  char found[sizeof record->path], patterns[sizeof record->path], *rest = NULL;
  find_path(fd, NULL, found, sizeof found);
  snprintf(patterns, sizeof patterns, "%s", unsynced);
  for (char *one = strtok_r(patterns, ":", &rest); one && !is; one = strtok_r(NULL, ":", &rest))
    is = fnmatch(one, found, 0) == 0;
  errno = before;
  return is;
}

#define REAL(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/* A call that is executed completely or not at all. */
#define CALL(type, name, parameters, arguments, counts, told, fd, path) \
  type name parameters { \
    REAL(name); \
    if (!(counts) || !arrive(told, fd, path)) return real arguments; \
    if (crash_after) (void)real arguments; \
    die(); \
    return 0; \
  }

/* A call that makes something durable. */
#define SYNC(name, parameters, arguments) \
  int name parameters { \
    REAL(name); \
    if (!arrive(#name, fd, NULL)) { \
      if (!loses(#name, fd)) return is_unsynced(fd) ? 0 : real arguments; \
      errno = EIO; \
      return -1; \
    } \
    if (crash_after && !is_unsynced(fd)) (void)real arguments; \
    die(); \
    return 0; \
  }

/* A call that writes `size` bytes, which may be torn: `half` does the same with half of them. */
#define WRITE(name, parameters, arguments, half) \
  ssize_t name parameters { \
    REAL(name); \
    if (!lasts(fd) || !arrive(#name, fd, NULL)) return real arguments; \
    if (crash_after) { \
      (void)!real arguments; \
    } else { \
      (void)!(half); \
    } \
    die(); \
    return 0; \
  }

WRITE(write, (int fd, const void *bytes, size_t size), (fd, bytes, size), real(fd, bytes, size / 2))
WRITE(pwrite, (int fd, const void *bytes, size_t size, off_t place), (fd, bytes, size, place),
      real(fd, bytes, size / 2, place))
WRITE(pwrite64, (int fd, const void *bytes, size_t size, off64_t place), (fd, bytes, size, place),
      real(fd, bytes, size / 2, place))

WRITE(copy_file_range, (int from, off64_t *at, int fd, off64_t *to, size_t size, unsigned flags),
      (from, at, fd, to, size, flags), real(from, at, fd, to, size / 2, flags))

/* Only the request that clones one file's bytes into another counts. */
int ioctl(int fd, unsigned long request, ...) {
  REAL(ioctl);
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  if (request != FICLONE || !arrive("ioctl", fd, NULL)) return real(fd, request, argument);
  if (crash_after) (void)real(fd, request, argument);
  die();
  return 0;
}

static size_t half_of(const struct iovec *parts, int count, struct iovec *half) {
  *half = count > 0 ? parts[0] : (struct iovec){0};
  if (count < 2) half->iov_len /= 2;
  return half->iov_len;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(writev);
  if (!lasts(fd) || !arrive("writev", fd, NULL)) return real(fd, parts, count);
  struct iovec half;
  if (crash_after) {
    (void)!real(fd, parts, count);
  } else if (half_of(parts, count, &half)) {
    (void)!real(fd, &half, 1);
  }
  die();
  return 0;
}

ssize_t pwritev2(int fd, const struct iovec *parts, int count, off_t place, int flags) {
  REAL(pwritev2);
  if (!lasts(fd) || !arrive("pwritev2", fd, NULL)) return real(fd, parts, count, place, flags);
  struct iovec half;
  if (crash_after) {
    (void)!real(fd, parts, count, place, flags);
  } else if (half_of(parts, count, &half)) {
    (void)!real(fd, &half, 1, place, flags);
  }
  die();
  return 0;
}

SYNC(fsync, (int fd), (fd))
SYNC(fdatasync, (int fd), (fd))
SYNC(syncfs, (int fd), (fd))
SYNC(sync_file_range, (int fd, off64_t from, off64_t size, unsigned flags), (fd, from, size, flags))
CALL(int, ftruncate, (int fd, off_t size), (fd, size), lasts(fd), "ftruncate", fd, NULL)
CALL(int, ftruncate64, (int fd, off64_t size), (fd, size), lasts(fd), "ftruncate", fd, NULL)
CALL(int, truncate, (const char *path, off_t size), (path, size), 1, "truncate", -1, path)
CALL(int, fallocate, (int fd, int mode, off_t from, off_t size), (fd, mode, from, size), 1, "fallocate", fd, NULL)
CALL(int, fallocate64, (int fd, int mode, off64_t from, off64_t size), (fd, mode, from, size), 1, "fallocate", fd,
     NULL)
CALL(int, posix_fallocate, (int fd, off_t from, off_t size), (fd, from, size), 1, "posix_fallocate", fd, NULL)
CALL(int, fchmod, (int fd, mode_t mode), (fd, mode), lasts(fd), "fchmod", fd, NULL)
CALL(int, chmod, (const char *path, mode_t mode), (path, mode), 1, "chmod", -1, path)
CALL(int, futimens, (int fd, const struct timespec times[2]), (fd, times), lasts(fd), "futimens", fd, NULL)

CALL(int, rename, (const char *from, const char *to), (from, to), 1, "rename", -1, to)
CALL(int, renameat, (int old, const char *from, int new, const char *to), (old, from, new, to), 1, "renameat", -1, to)
CALL(int, renameat2, (int old, const char *from, int new, const char *to, unsigned flags),
     (old, from, new, to, flags), 1, "renameat2", -1, to)
CALL(int, link, (const char *from, const char *to), (from, to), 1, "link", -1, to)
CALL(int, linkat, (int old, const char *from, int new, const char *to, int flags), (old, from, new, to, flags), 1,
     "linkat", -1, to)
CALL(int, symlink, (const char *from, const char *to), (from, to), 1, "symlink", -1, to)
CALL(int, unlink, (const char *path), (path), is_there(AT_FDCWD, path), "unlink", -1, path)
CALL(int, unlinkat, (int fd, const char *path, int flags), (fd, path, flags), is_there(fd, path), "unlinkat", -1, path)
CALL(int, rmdir, (const char *path), (path), is_there(AT_FDCWD, path), "rmdir", -1, path)
CALL(int, mkdir, (const char *path, mode_t mode), (path, mode), !is_there(AT_FDCWD, path), "mkdir", -1, path)
CALL(int, mkdirat, (int fd, const char *path, mode_t mode), (fd, path, mode), !is_there(fd, path), "mkdirat", -1, path)

/* Opening counts if it creates or truncates a file. */
static int changes(int directory, const char *path, int flags) {
  return flags & O_TRUNC || (flags & O_CREAT && !is_there(directory, path));
}

#define MODE(flags) \
  mode_t mode = 0; \
  if (flags & (O_CREAT | O_TMPFILE)) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, mode_t); \
    va_end(rest); \
  }

#define OPEN(name, parameters, arguments, directory) \
  int name parameters { \
    REAL(name); \
    MODE(flags) \
    if (!changes(directory, path, flags) || !arrive("open", -1, path)) return real arguments; \
    if (crash_after) (void)real arguments; \
    die(); \
    return -1; \
  }

OPEN(open, (const char *path, int flags, ...), (path, flags, mode), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode), AT_FDCWD)
OPEN(openat, (int fd, const char *path, int flags, ...), (fd, path, flags, mode), fd)
OPEN(openat64, (int fd, const char *path, int flags, ...), (fd, path, flags, mode), fd)
#endif
