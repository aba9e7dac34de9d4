/* libcurl for Swift: its header, and one function for each kind of C value that the variadic calls take, because Swift
   imports no variadic function. No policy here.

   The program is not linked to libcurl: library.c has the functions that are used, and loads libcurl when the first of
   them is called. One that is not there cannot be called by mistake, the program would not link. */

#ifndef DRAY_CCURL_SHIM_H
#define DRAY_CCURL_SHIM_H

#if !__has_include(<curl/curl.h>)
#error "the headers of libcurl are missing; on Debian and Ubuntu: apt install libcurl4-openssl-dev"
#endif
#include <curl/curl.h>

/* Why libcurl cannot be used, as the loader says it; NULL if it can. Loads it if that was not done before; any thread may
   ask. Until then, or where there is a reason, whatever makes a handle or a list returns NULL. */
const char *ccurl_lack(void);

/* A function of libcurl or of a library that it has loaded, by its name; NULL if there is none. */
void *ccurl_symbol(const char *name);

/* curl_easy_setopt for options that take a long (also booleans: a Bool must reach libcurl as long). */
CURLcode ccurl_setopt_long(CURL *handle, CURLoption option, long value);

/* curl_easy_setopt for options that take a curl_off_t. */
CURLcode ccurl_setopt_offset(CURL *handle, CURLoption option, curl_off_t value);

/* Allows schemes by CURLOPT_PROTOCOLS, as libcurl knew them before 7.85: a number with a bit for each. Its name is
   deprecated, its number stays. A name that is not in the list is an error: nothing must be allowed by mistake. */
CURLcode ccurl_setopt_protocol_bits(CURL *handle, const char *names);

/* curl_easy_setopt for options that take a string, which libcurl copies. */
CURLcode ccurl_setopt_string(CURL *handle, CURLoption option, const char *value);

/* curl_easy_setopt for options that take a data pointer, which libcurl keeps. */
CURLcode ccurl_setopt_pointer(CURL *handle, CURLoption option, void *value);

/* curl_easy_setopt for lists, which libcurl keeps. */
CURLcode ccurl_setopt_list(CURL *handle, CURLoption option, struct curl_slist *value);

/* curl_easy_setopt for the write, read and header callbacks, which have one shape. */
typedef size_t (*ccurl_data_callback)(char *bytes, size_t size, size_t count, void *context);
CURLcode ccurl_setopt_data_callback(CURL *handle, CURLoption option, ccurl_data_callback value);

/* curl_easy_setopt for the callback that sets the position in what is sent. */
CURLcode ccurl_setopt_seek_callback(CURL *handle, CURLoption option, curl_seek_callback value);

/* curl_easy_setopt for the callback that gets libcurl's log instead of standard error. */
CURLcode ccurl_setopt_debug_callback(CURL *handle, CURLoption option, curl_debug_callback value);

/* curl_easy_getinfo for values that are a long. */
CURLcode ccurl_getinfo_long(CURL *handle, CURLINFO info, long *value);

/* curl_easy_getinfo for values that are a curl_off_t. */
CURLcode ccurl_getinfo_offset(CURL *handle, CURLINFO info, curl_off_t *value);

/* curl_easy_getinfo for values that are a string of libcurl's, valid until the handle's next use. */
CURLcode ccurl_getinfo_string(CURL *handle, CURLINFO info, char **value);

/* curl_easy_getinfo for lists, which the caller frees. */
CURLcode ccurl_getinfo_list(CURL *handle, CURLINFO info, struct curl_slist **value);

/* curl_share_setopt: shares cookies. */
CURLSHcode ccurl_share_cookies(CURLSH *share);

/* curl_multi_setopt for options that take a long. */
CURLMcode ccurl_multi_setopt_long(CURLM *multi, CURLMoption option, long value);

/* The result in a message of curl_multi_info_read, which is a union that Swift imports clumsily. */
static inline CURLcode ccurl_message_result(const CURLMsg *message) {
  return message->data.result;
}

/* curl_easy_setopt for the callback that is handed the TLS library's context. */
typedef CURLcode (*ccurl_tls_callback)(CURL *handle, void *tls_context, void *context);
CURLcode ccurl_setopt_tls_callback(CURL *handle, CURLoption option, ccurl_tls_callback value);

/* curl_easy_setopt for the callback before a request. */
CURLcode ccurl_setopt_prerequest_callback(CURL *handle, CURLoption option, curl_prereq_callback value);

/* curl_easy_setopt for the callback that opens the sockets of connections. */
CURLcode ccurl_setopt_opensocket_callback(CURL *handle, CURLoption option, curl_opensocket_callback value);

/* curl_easy_setopt for the callback that closes the sockets of connections. */
CURLcode ccurl_setopt_closesocket_callback(CURL *handle, CURLoption option, curl_closesocket_callback value);

/* curl_easy_getinfo for the TLS session of the connection. */
CURLcode ccurl_getinfo_tls(CURL *handle, CURLINFO info, struct curl_tlssessioninfo **value);

/* curl_easy_setopt for the callback that is shown the key of an SSH server. */
CURLcode ccurl_setopt_hostkey_callback(CURL *handle, CURLoption option, curl_sshkeycallback value);

/* curl_easy_getinfo for the certificates of the connection. */
CURLcode ccurl_getinfo_certificates(CURL *handle, CURLINFO info, struct curl_certinfo **value);

/* The TLS library in use, as libcurl names it; empty where there is none. */
const char *ccurl_tls_library(void);

/* The version of the library in use; empty where there is none. CURLVERSION_NOW is a macro that Swift does not see. */
const char *ccurl_version(void);

/* The file and the directory of CA certificates that it uses by default; NULL where it has none. */
const char *ccurl_ca_file(void);
const char *ccurl_ca_path(void);

/* What the library in use was built with: the CURL_VERSION_ bits. */
int ccurl_features(void);

/* The names of the protocols that the library in use has, ended by a null pointer; NULL where there is none. */
const char *const *ccurl_protocols(void);

#endif
