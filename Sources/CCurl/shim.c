/* The functions of shim.h: each calls libcurl's variadic function with a value of its type. */

#include "library.h"

#include <string.h>

CURLcode ccurl_setopt_long(CURL *handle, CURLoption option, long value) {
  return ccurl_library.easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return ccurl_library.easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_protocol_bits(CURL *handle, const char *names) {
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
  return ccurl_library.easy_setopt(handle, (CURLoption)(CURLOPTTYPE_LONG + 181), bits);
}

CURLcode ccurl_setopt_string(CURL *handle, CURLoption option, const char *value) {
  CURLcode result = ccurl_library.easy_setopt(handle, option, value);
  if (result == CURLE_UNKNOWN_OPTION && option == CURLOPT_PROTOCOLS_STR && value)
    return ccurl_setopt_protocol_bits(handle, value);
  return result;
}

CURLcode ccurl_setopt_pointer(CURL *handle, CURLoption option, void *value) {
  return ccurl_library.easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_list(CURL *handle, CURLoption option, struct curl_slist *value) {
  return ccurl_library.easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_data_callback(CURL *handle, CURLoption option, ccurl_data_callback value) {
  return ccurl_library.easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_seek_callback(CURL *handle, CURLoption option, curl_seek_callback value) {
  return ccurl_library.easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_debug_callback(CURL *handle, CURLoption option, curl_debug_callback value) {
  return ccurl_library.easy_setopt(handle, option, value);
}

CURLcode ccurl_getinfo_long(CURL *handle, CURLINFO info, long *value) {
  return ccurl_library.easy_getinfo(handle, info, value);
}

CURLcode ccurl_getinfo_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return ccurl_library.easy_getinfo(handle, info, value);
}

CURLcode ccurl_getinfo_string(CURL *handle, CURLINFO info, char **value) {
  return ccurl_library.easy_getinfo(handle, info, value);
}

CURLcode ccurl_getinfo_list(CURL *handle, CURLINFO info, struct curl_slist **value) {
  return ccurl_library.easy_getinfo(handle, info, value);
}

CURLSHcode ccurl_share_cookies(CURLSH *share) {
  return ccurl_library.share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
}

CURLMcode ccurl_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
  return ccurl_library.multi_setopt(multi, option, value);
}

CURLcode ccurl_setopt_tls_callback(CURL *handle, CURLoption option, ccurl_tls_callback value) {
  return ccurl_library.easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_prerequest_callback(CURL *handle, CURLoption option, curl_prereq_callback value) {
  return ccurl_library.easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_opensocket_callback(CURL *handle, CURLoption option, curl_opensocket_callback value) {
  return ccurl_library.easy_setopt(handle, option, value);
}

CURLcode ccurl_setopt_closesocket_callback(CURL *handle, CURLoption option, curl_closesocket_callback value) {
  return ccurl_library.easy_setopt(handle, option, value);
}

CURLcode ccurl_getinfo_tls(CURL *handle, CURLINFO info, struct curl_tlssessioninfo **value) {
  return ccurl_library.easy_getinfo(handle, info, value);
}

CURLcode ccurl_setopt_hostkey_callback(CURL *handle, CURLoption option, curl_sshkeycallback value) {
  return ccurl_library.easy_setopt(handle, option, value);
}

CURLcode ccurl_getinfo_certificates(CURL *handle, CURLINFO info, struct curl_certinfo **value) {
  return ccurl_library.easy_getinfo(handle, info, value);
}

/* What libcurl says of itself; all of it is empty where there is none. */
static const curl_version_info_data *info(void) {
  static const curl_version_info_data nothing = {0};
  const curl_version_info_data *found = curl_version_info(CURLVERSION_NOW);
  return found ? found : &nothing;
}

const char *ccurl_tls_library(void) { return info()->ssl_version ? info()->ssl_version : ""; }

const char *ccurl_version(void) { return info()->version ? info()->version : ""; }

const char *ccurl_ca_file(void) { return info()->cainfo; }

const char *ccurl_ca_path(void) { return info()->capath; }

int ccurl_features(void) { return info()->features; }

const char *const *ccurl_protocols(void) { return info()->protocols; }
