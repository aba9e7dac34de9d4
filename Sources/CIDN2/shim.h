#ifndef DRAY_CIDN2_SHIM_H
#define DRAY_CIDN2_SHIM_H

#if !__has_include(<idn2.h>)
#error "the headers of libidn2 are missing; on Debian and Ubuntu: apt install libidn2-dev"
#endif
#include <idn2.h>

#endif
