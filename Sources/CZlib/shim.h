#ifndef DRAY_CZLIB_SHIM_H
#define DRAY_CZLIB_SHIM_H

#if !__has_include(<zlib.h>)
#error "the headers of zlib are missing; on Debian and Ubuntu: apt install zlib1g-dev"
#endif
#include <zlib.h>

/* Prepares a stream for gzip data. inflateInit2 is a macro, which Swift does not see. */
static inline int dray_begin_gzip(z_stream *stream) { return inflateInit2(stream, 16 + MAX_WBITS); }

#endif
