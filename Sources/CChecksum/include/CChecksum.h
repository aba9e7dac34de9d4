/* All public headers. Clang notices a header that is new in a directory only if another file names it. */

#ifndef DRAY_CCHECKSUM_H
#define DRAY_CCHECKSUM_H

#include "crc32c.h"
#include "crc64nvme.h"

#endif
