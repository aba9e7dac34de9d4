/* CRC-64/NVME, the checksum that object stores keep of whole objects: reflected polynomial 0x9a6c9329ac4bc9b5, all ones
   as initial value and final XOR. Uses carry-less multiplication if the processor has it. No policy here. */

#ifndef DRAY_CRC64NVME_H
#define DRAY_CRC64NVME_H

#include <stddef.h>
#include <stdint.h>

/* Returns the checksum of the bytes with checksum `sum`, followed by `count` bytes; 0 is the checksum of no bytes. */
uint64_t dray_crc64nvme(uint64_t sum, const void *bytes, size_t count);

/* Returns the same with tables only. */
uint64_t dray_crc64nvme_by_table(uint64_t sum, const void *bytes, size_t count);

#endif
