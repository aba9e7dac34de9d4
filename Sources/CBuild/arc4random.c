/* The linked C++ library needs this function, which glibc has only since 2.36. With this definition the program also runs
   with 2.35. dray itself does not call it. */

#include <sys/random.h>

__attribute__((visibility("hidden"))) unsigned arc4random(void) {
  unsigned value = 0;
  while (getrandom(&value, sizeof value, 0) != (ssize_t)sizeof value) {
  }
  return value;
}
