#ifndef DRAY_BUILD_H
#define DRAY_BUILD_H

/* The commit that this was built from, empty if nobody said. */
const char *dray_commit(void);

#endif
