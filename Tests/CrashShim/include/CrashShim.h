/* The library is preloaded, so nothing is called by name. This is the format of the file in DRAY_CRASH_LOG. */

#ifndef DRAY_CRASH_SHIM_H
#define DRAY_CRASH_SHIM_H

/* The beginning of the log, mapped into memory, so that it outlives the kill; Tests/EndToEndTests/Crash reads it. */
struct crash_record {
  unsigned long long count; /* calls that counted, over all threads */
  char name[56];            /* the call at which the program died, "" if none */
  char path[960];           /* the file of that call, if known */
};

#endif
