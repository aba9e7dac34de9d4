#include "build.h"

#ifndef DRAY_COMMIT
#define DRAY_COMMIT ""
#endif

const char *dray_commit(void) {
  return DRAY_COMMIT;
}
