/* CRC-32C (Castagnoli), the checksum of iSCSI (RFC 3720 §12.1), ext4, btrfs and object stores: reflected polynomial
   0x82f63b78, all ones as initial value and final XOR. Uses a processor instruction if there is one. No policy here. */

#ifndef DRAY_CRC32C_H
#define DRAY_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Returns the checksum of the bytes with checksum `sum`, followed by `count` bytes; 0 is the checksum of no bytes. */
uint32_t dray_crc32c(uint32_t sum, const void *bytes, size_t count);

/* Returns the same with only the processor's CRC-32C instruction; with tables if it has none. */
uint32_t dray_crc32c_by_instruction(uint32_t sum, const void *bytes, size_t count);

/* Returns the same with tables only. */
uint32_t dray_crc32c_by_table(uint32_t sum, const void *bytes, size_t count);

/* Returns the factor that moves a checksum over `count` bytes. It costs some hundred steps, once per length. */
uint32_t dray_crc32c_factor(uint64_t count);

/* Returns the checksum of two adjacent stretches. `factor` is that of the second one's length. */
uint32_t dray_crc32c_joined(uint32_t first, uint32_t second, uint32_t factor);

#endif
