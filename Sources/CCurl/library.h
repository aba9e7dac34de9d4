/* The functions of libcurl that were found in it. */

#ifndef DRAY_CCURL_LIBRARY_H
#define DRAY_CCURL_LIBRARY_H

/* Its checks of types are for calls of its variadic functions by name. */
#define CURL_DISABLE_TYPECHECK
#include "shim.h"

/* All that is used of it, without `curl_`. All of these are older than 7.81. */
#define CCURL_FUNCTIONS(each)                                                                                                    \
  each(easy_cleanup) each(easy_getinfo) each(easy_init) each(easy_pause) each(easy_reset) each(easy_setopt)                      \
  each(easy_strerror) each(global_init) each(multi_add_handle) each(multi_cleanup) each(multi_info_read) each(multi_init)        \
  each(multi_perform) each(multi_poll) each(multi_remove_handle) each(multi_setopt) each(multi_strerror) each(multi_wakeup)      \
  each(share_cleanup) each(share_init) each(share_setopt) each(slist_append) each(slist_free_all) each(version_info)

/* Complete once somebody has a handle or a list of libcurl's, or ccurl_lack() was NULL. */
struct ccurl_functions {
#define CCURL_FIELD(name) __typeof__(curl_##name) *name;
  CCURL_FUNCTIONS(CCURL_FIELD)
#undef CCURL_FIELD
};
extern struct ccurl_functions ccurl_library __attribute__((visibility("hidden")));

#endif
