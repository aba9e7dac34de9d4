/* The files of the page of `dray serve`, as bytes of the program. */

#ifndef DRAY_PAGE_H
#define DRAY_PAGE_H

#include <stddef.h>
#include <stdint.h>

struct dray_page_file {
  const char *name;
  const uint8_t *bytes;
  size_t count;
};

/* Returns all files, and their number in `count`. */
const struct dray_page_file *dray_page_files(size_t *count);

#endif
