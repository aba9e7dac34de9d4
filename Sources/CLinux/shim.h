/* Linux calls that glibc declares only with _GNU_SOURCE, which Swift's Glibc module does not define. Only their
   declarations are missing; the symbols exist. No policy here. */

#ifndef DRAY_CSYSTEM_SHIM_H
#define DRAY_CSYSTEM_SHIM_H

#include <linux/fs.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

extern int accept4(int listener, struct sockaddr *address, socklen_t *length, int flags);
extern int pipe2(int *ends, int flags);
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);
extern int sync_file_range(int descriptor, off_t offset, off_t length, unsigned int flags);
extern int syncfs(int descriptor);
extern int memfd_create(const char *name, unsigned int flags);
extern int pthread_setname_np(pthread_t thread, const char *name);
extern ssize_t pwritev2(int descriptor, const struct iovec *parts, int count, off_t offset, int flags);
extern ssize_t copy_file_range(int source, off_t *source_offset, int target, off_t *target_offset, size_t count,
                               unsigned int flags);
extern int renameat2(int old_directory, const char *old_name, int new_directory, const char *new_name,
                     unsigned int flags);

extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);
extern int dup3(int descriptor, int replaced, int flags);

/* Makes `target` share the bytes of `source`, if the file system supports it. */
static inline int dray_clone(int target, int source) { return ioctl(target, FICLONE, source); }

/* openat2(2), for which glibc has no function. */
static inline int dray_openat2(int directory, const char *path, uint64_t flags, uint64_t resolve) {
  struct open_how how = {.flags = flags, .resolve = resolve};
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

/* Places in the kernel's tcp_info, whose header cannot be included, because glibc's has an older structure with the same
   name: the milliseconds since the last data and since the last acknowledgement arrived, and the number of packets that
   were received out of order (tcpi_rcv_ooopack, since Linux 5.4). */
enum { dray_last_data = 52, dray_last_ack = 56, dray_out_of_order = 224 };

/* Returns a number of tcp_info; -1 if unknown. */
static inline long dray_tcp_info(int socket, socklen_t offset) {
  enum { tcp = 6, info = 11 };
  uint8_t bytes[256];
  socklen_t length = sizeof bytes;
  if (getsockopt(socket, tcp, info, bytes, &length) != 0 || length < offset + sizeof(uint32_t)) return -1;
  uint32_t count;
  memcpy(&count, bytes + offset, sizeof count);
  return (long)count;
}

/* Memory that belongs to a file. If the disk is full or gone, its use fails with SIGBUS. The memory then becomes ordinary
   memory, and the process goes on. Called by one file of Posix only: each file that calls these functions would have
   variables of its own. Swift leaves out variables outside of functions. */

enum { dray_most_mapped = 1024 };

struct dray_mappings {
  struct {
    uintptr_t start;
    size_t size;
  } all[dray_most_mapped];
  struct sigaction usual;
};

static inline struct dray_mappings *dray_mappings(void) {
  static struct dray_mappings mappings = {{{0, 0}}, {0}};
  return &mappings;
}

static inline void dray_bus_error(int number, siginfo_t *info, void *context) {
  (void)context;
  uintptr_t at = (uintptr_t)info->si_addr;
  for (int i = 0; i < dray_most_mapped; i++) {
    uintptr_t start = __atomic_load_n(&dray_mappings()->all[i].start, __ATOMIC_ACQUIRE);
    if (start == 0 || at - start >= dray_mappings()->all[i].size) continue;
    void *memory = mmap((void *)start, dray_mappings()->all[i].size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (memory != MAP_FAILED) return;
  }
  /* The instruction fails again, and takes the usual course. */
  sigaction(number, &dray_mappings()->usual, NULL);
}

/* Protects the use of memory of a file. Returns whether there was room for it. */
static inline int dray_protect_mapped(void *start, size_t size) {
  struct sigaction present;
  if (sigaction(SIGBUS, NULL, &present) != 0) return 0;
  if (!(present.sa_flags & SA_SIGINFO) || present.sa_sigaction != dray_bus_error) {
    struct sigaction own = {.sa_sigaction = dray_bus_error, .sa_flags = SA_SIGINFO | SA_RESTART};
    dray_mappings()->usual = present;
    if (sigaction(SIGBUS, &own, NULL) != 0) return 0;
  }
  for (int i = 0; i < dray_most_mapped; i++) {
    if (dray_mappings()->all[i].start != 0) continue;
    dray_mappings()->all[i].size = size;
    __atomic_store_n(&dray_mappings()->all[i].start, (uintptr_t)start, __ATOMIC_RELEASE);
    return 1;
  }
  return 0;
}

/* To be called before the memory is given back. */
static inline void dray_forget_mapped(void *start) {
  for (int i = 0; i < dray_most_mapped; i++) {
    if (__atomic_load_n(&dray_mappings()->all[i].start, __ATOMIC_ACQUIRE) == (uintptr_t)start)
      __atomic_store_n(&dray_mappings()->all[i].start, 0, __ATOMIC_RELEASE);
  }
}

#endif
