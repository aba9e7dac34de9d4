#ifndef DRAY_CEXPAT_SHIM_H
#define DRAY_CEXPAT_SHIM_H

#include <expat.h>

#endif
