/* What the C library knows of texts, for modules that make no system calls: regular expressions, encodings, and the form of
   addresses. */

#ifndef DRAY_CTEXT_SHIM_H
#define DRAY_CTEXT_SHIM_H

#include <arpa/inet.h>
#include <errno.h>
#include <iconv.h>
#include <netinet/in.h>
#include <regex.h>

/* Whether a text is an IPv6 address, without brackets and zone. */
static inline int dray_is_ipv6(const char *text) {
  struct in6_addr address;
  return inet_pton(AF_INET6, text, &address) == 1;
}

/* errno after a call of iconv. */
static inline int dray_errno(void) { return errno; }

#endif
