/* CRC-32C (Castagnoli), the checksum of iSCSI (RFC 3720 §12.1), ext4, btrfs and of object stores: reflected polynomial
   0x82f63b78, all ones before and after. With the processor's own instruction where it has one. No policy here. */

#ifndef DRAY_CRC32C_H
#define DRAY_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of what `sum` is of, followed by `count` bytes; 0 is the checksum of nothing. */
uint32_t dray_crc32c(uint32_t sum, const void *bytes, size_t count);

/* The same by the processor's instruction for this alone, without wider ones; by tables where it has none. */
uint32_t dray_crc32c_by_instruction(uint32_t sum, const void *bytes, size_t count);

/* The same by tables, as it is done where the processor has no instruction for it. */
uint32_t dray_crc32c_by_table(uint32_t sum, const void *bytes, size_t count);

/* What a checksum is multiplied with to take it past `count` bytes more: costs some hundred steps, once for a length. */
uint32_t dray_crc32c_factor(uint64_t count);

/* The checksum of two stretches one after the other: `factor` is that of the second one's length. */
uint32_t dray_crc32c_joined(uint32_t first, uint32_t second, uint32_t factor);

#endif
