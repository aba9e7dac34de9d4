/* libcurl, loaded when it is first needed: with the thirty libraries behind it, it would be a quarter of the memory
   of a command that transfers nothing, and a third of its time.

   The functions here have the names of libcurl's and call those, so callers notice nothing. They are hidden: libcurl's
   calls of its own functions must not come here, whoever links this. */

#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#define NAME "libcurl.so.4"
#define HIDDEN __attribute__((visibility("hidden")))

struct ccurl_functions ccurl_library;
static void *handle;
static char lack[512];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
  /* Lazily, as if it were linked to: to find all functions that its libraries call of each other takes 4 ms. Its names are
     of no use to anybody else: what it has of OpenSSL is found by the handle (ccurl_symbol). */
  void *loaded = dlopen(NAME, RTLD_LAZY | RTLD_LOCAL);
  if (!loaded) {
    const char *reason = dlerror();
    snprintf(lack, sizeof lack, "%s", reason ? reason : NAME);
    return;
  }
  struct ccurl_functions found;
#define FIND(name)                                                                  \
  if (!(found.name = (__typeof__(found.name))dlsym(loaded, "curl_" #name))) {       \
    snprintf(lack, sizeof lack, "%s: it has no curl_%s: it is too old", NAME, #name); \
    return;                                                                         \
  }
  CCURL_FUNCTIONS(FIND)
  ccurl_library = found;
  handle = loaded;
}

const char *ccurl_lack(void) {
  pthread_once(&once, load);
  return handle ? NULL : lack;
}

void *ccurl_symbol(const char *name) { return ccurl_lack() ? NULL : dlsym(handle, name); }

/* What can be called without having called another one: these load it, and fail where it is missing. */

HIDDEN CURLcode curl_global_init(long flags) { return ccurl_lack() ? CURLE_FAILED_INIT : ccurl_library.global_init(flags); }

HIDDEN curl_version_info_data *curl_version_info(CURLversion age) {
  return ccurl_lack() ? NULL : ccurl_library.version_info(age);
}

HIDDEN CURL *curl_easy_init(void) { return ccurl_lack() ? NULL : ccurl_library.easy_init(); }

HIDDEN CURLM *curl_multi_init(void) { return ccurl_lack() ? NULL : ccurl_library.multi_init(); }

HIDDEN CURLSH *curl_share_init(void) { return ccurl_lack() ? NULL : ccurl_library.share_init(); }

HIDDEN struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text) {
  return ccurl_lack() ? NULL : ccurl_library.slist_append(list, text);
}

HIDDEN void curl_slist_free_all(struct curl_slist *list) {
  if (list) ccurl_library.slist_free_all(list);
}

HIDDEN const char *curl_easy_strerror(CURLcode code) {
  const char *reason = ccurl_lack();
  return reason ? reason : ccurl_library.easy_strerror(code);
}

HIDDEN const char *curl_multi_strerror(CURLMcode code) {
  const char *reason = ccurl_lack();
  return reason ? reason : ccurl_library.multi_strerror(code);
}

/* What needs a handle, which only libcurl makes. */

HIDDEN void curl_easy_reset(CURL *easy) { ccurl_library.easy_reset(easy); }

HIDDEN CURLcode curl_easy_pause(CURL *easy, int mask) { return ccurl_library.easy_pause(easy, mask); }

HIDDEN void curl_easy_cleanup(CURL *easy) { ccurl_library.easy_cleanup(easy); }

HIDDEN CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy) { return ccurl_library.multi_add_handle(multi, easy); }

HIDDEN CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *easy) { return ccurl_library.multi_remove_handle(multi, easy); }

HIDDEN CURLMcode curl_multi_perform(CURLM *multi, int *running) { return ccurl_library.multi_perform(multi, running); }

HIDDEN CURLMcode curl_multi_poll(CURLM *multi, struct curl_waitfd sockets[], unsigned count, int milliseconds, int *ready) {
  return ccurl_library.multi_poll(multi, sockets, count, milliseconds, ready);
}

HIDDEN CURLMcode curl_multi_wakeup(CURLM *multi) { return ccurl_library.multi_wakeup(multi); }

HIDDEN CURLMsg *curl_multi_info_read(CURLM *multi, int *left) { return ccurl_library.multi_info_read(multi, left); }

HIDDEN CURLMcode curl_multi_cleanup(CURLM *multi) { return ccurl_library.multi_cleanup(multi); }

HIDDEN CURLSHcode curl_share_cleanup(CURLSH *share) { return ccurl_library.share_cleanup(share); }
