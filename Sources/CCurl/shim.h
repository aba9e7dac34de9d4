/* libcurl for Swift: its header, and one function for each kind of C value that the variadic calls take, because Swift
   imports no variadic function. No policy here.

   All functions that are called here and in Curl are in libcurl 7.81. Declare a newer one weak (`#pragma weak curl_NAME`)
   and compare it with NULL before each call, so that the program starts with 7.81 (scripts/program-check.sh). */

#ifndef DRAY_CCURL_SHIM_H
#define DRAY_CCURL_SHIM_H

#if !__has_include(<curl/curl.h>)
#error "the headers of libcurl are missing; on Debian and Ubuntu: apt install libcurl4-openssl-dev"
#endif
/* libcurl's checks of types are for calls of its variadic functions by name. */
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <string.h>

/* curl_easy_setopt for options that take a long (also booleans: a Bool must reach libcurl as long). */
static inline CURLcode ccurl_setopt_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

/* curl_easy_setopt for options that take a curl_off_t. */
static inline CURLcode ccurl_setopt_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

/* Allows schemes by CURLOPT_PROTOCOLS, as libcurl knew them before 7.85: a number with a bit for each. Its name is
   deprecated, its number stays. A name that is not in the list is an error: nothing must be allowed by mistake. */
static inline CURLcode ccurl_setopt_protocol_bits(CURL *handle, const char *names) {
  static const struct {
    const char *name;
    long bit;
  } known[] = {{"http", CURLPROTO_HTTP}, {"https", CURLPROTO_HTTPS}, {"ftp", CURLPROTO_FTP},
               {"ftps", CURLPROTO_FTPS}, {"sftp", CURLPROTO_SFTP},   {"file", CURLPROTO_FILE}};
  long bits = 0;
  while (*names) {
    size_t length = strcspn(names, ","), index = 0, count = sizeof known / sizeof known[0];
    while (index < count && (strlen(known[index].name) != length || strncmp(known[index].name, names, length))) index++;
    if (index == count) return CURLE_UNSUPPORTED_PROTOCOL;
    bits |= known[index].bit;
    names += length;
    if (*names) names++;
  }
  return curl_easy_setopt(handle, (CURLoption)(CURLOPTTYPE_LONG + 181), bits);
}

/* curl_easy_setopt for options that take a string, which libcurl copies. */
static inline CURLcode ccurl_setopt_string(CURL *handle, CURLoption option, const char *value) {
  CURLcode result = curl_easy_setopt(handle, option, value);
  if (result == CURLE_UNKNOWN_OPTION && option == CURLOPT_PROTOCOLS_STR && value)
    return ccurl_setopt_protocol_bits(handle, value);
  return result;
}

/* curl_easy_setopt for options that take a data pointer, which libcurl keeps. */
static inline CURLcode ccurl_setopt_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

/* curl_easy_setopt for lists, which libcurl keeps. */
static inline CURLcode ccurl_setopt_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

/* curl_easy_setopt for the write, read and header callbacks, which have one shape. */
typedef size_t (*ccurl_data_callback)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode ccurl_setopt_data_callback(CURL *handle, CURLoption option, ccurl_data_callback value) {
  return curl_easy_setopt(handle, option, value);
}

/* curl_easy_setopt for the callback that sets the position in what is sent. */
static inline CURLcode ccurl_setopt_seek_callback(CURL *handle, CURLoption option, curl_seek_callback value) {
  return curl_easy_setopt(handle, option, value);
}

/* curl_easy_setopt for the callback that gets libcurl's log instead of standard error. */
static inline CURLcode ccurl_setopt_debug_callback(CURL *handle, CURLoption option, curl_debug_callback value) {
  return curl_easy_setopt(handle, option, value);
}

/* curl_easy_setopt for the callback that is handed the TLS library's context. */
typedef CURLcode (*ccurl_tls_callback)(CURL *handle, void *tls_context, void *context);
static inline CURLcode ccurl_setopt_tls_callback(CURL *handle, CURLoption option, ccurl_tls_callback value) {
  return curl_easy_setopt(handle, option, value);
}

/* curl_easy_setopt for the callback before a request. */
static inline CURLcode ccurl_setopt_prerequest_callback(CURL *handle, CURLoption option, curl_prereq_callback value) {
  return curl_easy_setopt(handle, option, value);
}

/* curl_easy_setopt for the callback that opens the sockets of connections. */
static inline CURLcode ccurl_setopt_opensocket_callback(CURL *handle, CURLoption option, curl_opensocket_callback value) {
  return curl_easy_setopt(handle, option, value);
}

/* curl_easy_setopt for the callback that closes the sockets of connections. */
static inline CURLcode ccurl_setopt_closesocket_callback(
    CURL *handle, CURLoption option, curl_closesocket_callback value) {
  return curl_easy_setopt(handle, option, value);
}

/* curl_easy_setopt for the callback that is shown the key of an SSH server. */
static inline CURLcode ccurl_setopt_hostkey_callback(CURL *handle, CURLoption option, curl_sshkeycallback value) {
  return curl_easy_setopt(handle, option, value);
}

/* curl_easy_getinfo for values that are a long. */
static inline CURLcode ccurl_getinfo_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

/* curl_easy_getinfo for values that are a curl_off_t. */
static inline CURLcode ccurl_getinfo_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

/* curl_easy_getinfo for values that are a string of libcurl's, valid until the handle's next use. */
static inline CURLcode ccurl_getinfo_string(CURL *handle, CURLINFO info, char **value) {
  return curl_easy_getinfo(handle, info, value);
}

/* curl_easy_getinfo for lists, which the caller frees. */
static inline CURLcode ccurl_getinfo_list(CURL *handle, CURLINFO info, struct curl_slist **value) {
  return curl_easy_getinfo(handle, info, value);
}

/* curl_easy_getinfo for the TLS session of the connection. */
static inline CURLcode ccurl_getinfo_tls(CURL *handle, CURLINFO info, struct curl_tlssessioninfo **value) {
  return curl_easy_getinfo(handle, info, value);
}

/* curl_easy_getinfo for the certificates of the connection. */
static inline CURLcode ccurl_getinfo_certificates(CURL *handle, CURLINFO info, struct curl_certinfo **value) {
  return curl_easy_getinfo(handle, info, value);
}

/* curl_share_setopt: shares cookies. */
static inline CURLSHcode ccurl_share_cookies(CURLSH *share) {
  return curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
}

/* curl_multi_setopt for options that take a long. */
static inline CURLMcode ccurl_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/* curl_multi_setopt for options that take a data pointer, which libcurl keeps. */
static inline CURLMcode ccurl_multi_setopt_pointer(CURLM *multi, CURLMoption option, void *value) {
  return curl_multi_setopt(multi, option, value);
}

/* curl_multi_setopt for the callback that names the sockets to watch. */
static inline CURLMcode ccurl_multi_setopt_socket_callback(CURLM *multi, curl_socket_callback value) {
  return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, value);
}

/* curl_multi_setopt for the callback that sets the timer. */
static inline CURLMcode ccurl_multi_setopt_timer_callback(CURLM *multi, curl_multi_timer_callback value) {
  return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, value);
}

/* curl_multi_socket_action for the timer. CURL_SOCKET_TIMEOUT is a macro that Swift does not see. */
static inline CURLMcode ccurl_multi_timer_action(CURLM *multi, int *running) {
  return curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, running);
}

/* curl_multi_socket_all: goes on with all transfers, and reports their sockets. It is deprecated as a way to drive all
   transfers; nothing replaces it for those that have neither a socket nor a timer. */
static inline CURLMcode ccurl_multi_socket_all(CURLM *multi, int *running) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  return curl_multi_socket_all(multi, running);
#pragma GCC diagnostic pop
}

/* The result in a message of curl_multi_info_read, which is a union that Swift imports clumsily. */
static inline CURLcode ccurl_message_result(const CURLMsg *message) { return message->data.result; }

/* What the library in use says of itself. CURLVERSION_NOW is a macro that Swift does not see. */
static inline const curl_version_info_data *ccurl_version_info(void) { return curl_version_info(CURLVERSION_NOW); }

#endif
