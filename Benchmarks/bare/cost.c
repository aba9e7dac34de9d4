// Runs a program and writes its costs: seconds (wall, user, system; with its children), peak KiB of memory, status.
// Usage: cost REPORT PROGRAM [ARGUMENT...]
//
// This small program forks, not Python: the peak memory that the kernel reports for a child starts with the resident
// memory of the forking process, and a start must not include copying Python's page tables.

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double seconds(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

int main(int count, char **arguments) {
  if (count < 3) return fprintf(stderr, "usage: cost REPORT PROGRAM [ARGUMENT...]\n"), 2;
  FILE *report = fopen(arguments[1], "we");
  if (!report) return perror(arguments[1]), 2;
  double start = now();
  pid_t child = fork();
  if (child == 0) {
    execvp(arguments[2], arguments + 2);
    perror(arguments[2]);
    _exit(127);
  }
  int status;
  struct rusage usage;
  if (child < 0 || wait4(child, &status, 0, &usage) != child) return perror("cost"), 2;
  double wall = now() - start;
  int result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  double user = seconds(usage.ru_utime), system = seconds(usage.ru_stime);
  fprintf(report, "%.6f %.6f %.6f %ld %d\n", wall, user, system, usage.ru_maxrss, result);
  return fclose(report) ? 2 : 0;
}
