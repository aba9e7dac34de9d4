/* CRC-64/NVME, the checksum that object stores keep of whole objects: reflected polynomial 0x9a6c9329ac4bc9b5, all ones
   as initial value and final XOR. No policy here.

   If the processor supports it, by carry-less multiplication of 128 bytes at once; otherwise with eight
   tables.

   A checksum is a polynomial over GF(2) modulo the polynomial of the code, with its highest power in the lowest bit.
   Bytes that are multiplied by a power of x count as if that many zero bits followed, so that distant bytes can be added
   to each other ("folded"). */

#ifndef DRAY_CRC64NVME_H
#define DRAY_CRC64NVME_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define CRC64NVME_POLYNOMIAL 0x9a6c9329ac4bc9b5u

/* crc64nvme_table[k]: the effect of a byte on the checksum after k more zero bytes. */
static uint64_t crc64nvme_table[8][256] = {0};
static pthread_once_t crc64nvme_once = PTHREAD_ONCE_INIT;

static inline uint64_t crc64nvme_times_x(uint64_t value) {
  return (value >> 1) ^ (CRC64NVME_POLYNOMIAL & ((uint64_t)0 - (value & 1)));
}

/* Adds bytes to the state of a checksum, which has no final XOR. Byte by byte, so that byte order does not matter. */
static inline uint64_t crc64nvme_added(uint64_t state, const uint8_t *bytes, size_t count) {
  for (; count >= 8; bytes += 8, count -= 8)
    state = crc64nvme_table[7][(state ^ bytes[0]) & 255] ^ crc64nvme_table[6][(state >> 8 ^ bytes[1]) & 255]
      ^ crc64nvme_table[5][(state >> 16 ^ bytes[2]) & 255] ^ crc64nvme_table[4][(state >> 24 ^ bytes[3]) & 255]
      ^ crc64nvme_table[3][(state >> 32 ^ bytes[4]) & 255] ^ crc64nvme_table[2][(state >> 40 ^ bytes[5]) & 255]
      ^ crc64nvme_table[1][(state >> 48 ^ bytes[6]) & 255] ^ crc64nvme_table[0][(state >> 56 ^ bytes[7]) & 255];
  for (; count > 0; bytes += 1, count -= 1) state = state >> 8 ^ crc64nvme_table[0][(state ^ *bytes) & 255];
  return state;
}

/* MARK: Folding */

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

/* The number of registers of 16 bytes, and of the bytes that are folded at once. A multiplication takes several cycles,
   and one can start in each cycle, so eight registers keep it busy. */
#define CRC64NVME_LANES 8
#define CRC64NVME_FOLD (16 * CRC64NVME_LANES)
#define CRC64NVME_TARGET __attribute__((target("pclmul,sse2")))

static int crc64nvme_can_fold = 0;

/* The factors that move the two halves of 16 bytes over a distance. */
struct crc64nvme_distance {
  uint64_t first, second;
};
static struct crc64nvme_distance crc64nvme_past_fold = {0};
static struct crc64nvme_distance crc64nvme_past_lane = {0};

/* Returns x to the power of `exponent`. */
static inline uint64_t crc64nvme_x_to(unsigned exponent) {
  uint64_t result = (uint64_t)1 << 63;
  for (; exponent > 0; exponent -= 1) result = crc64nvme_times_x(result);
  return result;
}

/* The first half is 64 bits ahead of the second one. A product of two reflected values is one bit short of its place; the
   factors compensate for that. */
static inline struct crc64nvme_distance crc64nvme_distance_of(unsigned bits) {
  struct crc64nvme_distance result = {crc64nvme_x_to(bits + 63), crc64nvme_x_to(bits - 1)};
  return result;
}

static inline int crc64nvme_has_multiplication(void) {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_PCLMUL);
}

CRC64NVME_TARGET static inline __m128i crc64nvme_loaded(const uint8_t *bytes) {
  return _mm_loadu_si128((const __m128i *)bytes);
}

CRC64NVME_TARGET static inline __m128i crc64nvme_pair(struct crc64nvme_distance by) {
  return _mm_set_epi64x((long long)by.second, (long long)by.first);
}

CRC64NVME_TARGET static inline __m128i crc64nvme_folded(__m128i value, __m128i by, __m128i next) {
  __m128i first = _mm_clmulepi64_si128(value, by, 0x00), second = _mm_clmulepi64_si128(value, by, 0x11);
  return _mm_xor_si128(_mm_xor_si128(first, second), next);
}

/* Adds all whole blocks of 128 bytes, of which there must be at least one. Returns the number of bytes. */
CRC64NVME_TARGET static inline size_t crc64nvme_fold(uint64_t *state, const uint8_t *bytes, size_t count) {
  const uint8_t *start = bytes;
  __m128i lane[CRC64NVME_LANES], by = crc64nvme_pair(crc64nvme_past_fold);
  for (int index = 0; index < CRC64NVME_LANES; index += 1) lane[index] = crc64nvme_loaded(bytes + 16 * index);
  lane[0] = _mm_xor_si128(lane[0], _mm_cvtsi64_si128((long long)*state));
  for (bytes += CRC64NVME_FOLD, count -= CRC64NVME_FOLD; count >= CRC64NVME_FOLD;
       bytes += CRC64NVME_FOLD, count -= CRC64NVME_FOLD)
    for (int index = 0; index < CRC64NVME_LANES; index += 1)
      lane[index] = crc64nvme_folded(lane[index], by, crc64nvme_loaded(bytes + 16 * index));
  by = crc64nvme_pair(crc64nvme_past_lane);
  for (int index = 1; index < CRC64NVME_LANES; index += 1)
    lane[index] = crc64nvme_folded(lane[index - 1], by, lane[index]);
  uint8_t rest[16];
  _mm_storeu_si128((__m128i *)rest, lane[CRC64NVME_LANES - 1]);
  *state = crc64nvme_added(0, rest, sizeof rest);
  return (size_t)(bytes - start);
}

#endif

static inline void crc64nvme_prepare(void) {
  for (uint64_t value = 0; value < 256; value += 1) {
    uint64_t sum = value;
    for (int bit = 0; bit < 8; bit += 1) sum = crc64nvme_times_x(sum);
    crc64nvme_table[0][value] = sum;
  }
  for (int index = 1; index < 8; index += 1)
    for (int value = 0; value < 256; value += 1) {
      uint64_t before = crc64nvme_table[index - 1][value];
      crc64nvme_table[index][value] = before >> 8 ^ crc64nvme_table[0][before & 255];
    }
#if defined(__x86_64__)
  crc64nvme_past_fold = crc64nvme_distance_of(8 * CRC64NVME_FOLD);
  crc64nvme_past_lane = crc64nvme_distance_of(128);
  crc64nvme_can_fold = crc64nvme_has_multiplication();
#endif
}

/* MARK: Public functions */

/* Returns the checksum as `dray_crc64nvme` does, with tables only. */
static inline uint64_t dray_crc64nvme_by_table(uint64_t sum, const void *bytes, size_t count) {
  pthread_once(&crc64nvme_once, crc64nvme_prepare);
  return ~crc64nvme_added(~sum, bytes, count);
}

/* Returns the checksum of the bytes with checksum `sum`, followed by `count` bytes; 0 is the checksum of no bytes. */
static inline uint64_t dray_crc64nvme(uint64_t sum, const void *data, size_t count) {
  pthread_once(&crc64nvme_once, crc64nvme_prepare);
  const uint8_t *bytes = data;
  uint64_t state = ~sum;
#if defined(__x86_64__)
  if (crc64nvme_can_fold && count >= CRC64NVME_FOLD) {
    size_t done = crc64nvme_fold(&state, bytes, count);
    bytes += done;
    count -= done;
  }
#endif
  return ~crc64nvme_added(state, bytes, count);
}

#endif
