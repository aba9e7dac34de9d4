/* Nothing is called by name: the library is preloaded. What it keeps in the file that DRAY_CRASH_LOG names is told here. */

#ifndef DRAY_CRASH_SHIM_H
#define DRAY_CRASH_SHIM_H

/* The beginning of the log, mapped into memory, so that it outlives the kill; Tests/EndToEndTests/Crash reads it. */
struct crash_record {
  unsigned long long count; /* calls that counted, over all threads */
  char name[56];            /* the call that was not carried out, "" if none */
  char path[960];           /* the file that it was about, as far as it is known */
};

#endif
