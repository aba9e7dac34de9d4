#ifndef DRAY_BUILD_H
#define DRAY_BUILD_H

/* Returns the commit that the program was built from; empty if unknown. */
const char *dray_commit(void);

#endif
