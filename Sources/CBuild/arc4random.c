/* The C++ library that is linked in asks for this function, which glibc has since 2.36 only: with one of our own, the program runs
   on 2.35 as well. Nothing of dray calls it. */

#include <sys/random.h>

__attribute__((visibility("hidden"))) unsigned arc4random(void) {
  unsigned value = 0;
  while (getrandom(&value, sizeof value, 0) != (ssize_t)sizeof value) {
  }
  return value;
}
