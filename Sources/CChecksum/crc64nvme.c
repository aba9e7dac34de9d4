/* CRC-64/NVME. If the processor supports it, by carry-less multiplication of 128 bytes at once; otherwise with eight
   tables.

   A checksum is a polynomial over GF(2) modulo the polynomial of the code, with its highest power in the lowest bit.
   Bytes that are multiplied by a power of x count as if that many zero bits followed, so that distant bytes can be added
   to each other ("folded"). */

#include "crc64nvme.h"

#include <pthread.h>

#define POLYNOMIAL 0x9a6c9329ac4bc9b5u

/* table[k]: the effect of a byte on the checksum after k more zero bytes. */
static uint64_t table[8][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint64_t times_x(uint64_t value) { return (value >> 1) ^ (POLYNOMIAL & ((uint64_t)0 - (value & 1))); }

/* Adds bytes to the state of a checksum, which has no final XOR. Byte by byte, so that byte order does not matter. */
static uint64_t added(uint64_t state, const uint8_t *bytes, size_t count) {
  for (; count >= 8; bytes += 8, count -= 8)
    state = table[7][(state ^ bytes[0]) & 255] ^ table[6][(state >> 8 ^ bytes[1]) & 255]
      ^ table[5][(state >> 16 ^ bytes[2]) & 255] ^ table[4][(state >> 24 ^ bytes[3]) & 255]
      ^ table[3][(state >> 32 ^ bytes[4]) & 255] ^ table[2][(state >> 40 ^ bytes[5]) & 255]
      ^ table[1][(state >> 48 ^ bytes[6]) & 255] ^ table[0][(state >> 56 ^ bytes[7]) & 255];
  for (; count > 0; bytes += 1, count -= 1) state = state >> 8 ^ table[0][(state ^ *bytes) & 255];
  return state;
}

/* MARK: Folding */

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

/* The number of registers of 16 bytes, and of the bytes that are folded at once. A multiplication takes several cycles,
   and one can start in each cycle, so eight registers keep it busy. */
#define LANES 8
#define FOLD (16 * LANES)
#define TARGET __attribute__((target("pclmul,sse2")))

static int can_fold;

/* The factors that move the two halves of 16 bytes over a distance. */
struct distance {
  uint64_t first, second;
};
static struct distance past_fold, past_lane;

/* Returns x to the power of `exponent`. */
static uint64_t x_to(unsigned exponent) {
  uint64_t result = (uint64_t)1 << 63;
  for (; exponent > 0; exponent -= 1) result = times_x(result);
  return result;
}

/* The first half is 64 bits ahead of the second one. A product of two reflected values is one bit short of its place; the
   factors compensate for that. */
static struct distance distance_of(unsigned bits) {
  struct distance result = {x_to(bits + 63), x_to(bits - 1)};
  return result;
}

static int has_multiplication(void) {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_PCLMUL);
}

TARGET static inline __m128i loaded(const uint8_t *bytes) { return _mm_loadu_si128((const __m128i *)bytes); }

TARGET static inline __m128i pair(struct distance by) {
  return _mm_set_epi64x((long long)by.second, (long long)by.first);
}

TARGET static inline __m128i folded(__m128i value, __m128i by, __m128i next) {
  __m128i first = _mm_clmulepi64_si128(value, by, 0x00), second = _mm_clmulepi64_si128(value, by, 0x11);
  return _mm_xor_si128(_mm_xor_si128(first, second), next);
}

/* Adds all whole blocks of 128 bytes, of which there must be at least one. Returns the number of bytes. */
TARGET static size_t fold(uint64_t *state, const uint8_t *bytes, size_t count) {
  const uint8_t *start = bytes;
  __m128i lane[LANES], by = pair(past_fold);
  for (int index = 0; index < LANES; index += 1) lane[index] = loaded(bytes + 16 * index);
  lane[0] = _mm_xor_si128(lane[0], _mm_cvtsi64_si128((long long)*state));
  for (bytes += FOLD, count -= FOLD; count >= FOLD; bytes += FOLD, count -= FOLD)
    for (int index = 0; index < LANES; index += 1)
      lane[index] = folded(lane[index], by, loaded(bytes + 16 * index));
  by = pair(past_lane);
  for (int index = 1; index < LANES; index += 1) lane[index] = folded(lane[index - 1], by, lane[index]);
  uint8_t rest[16];
  _mm_storeu_si128((__m128i *)rest, lane[LANES - 1]);
  *state = added(0, rest, sizeof rest);
  return (size_t)(bytes - start);
}

#endif

static void prepare(void) {
  for (uint64_t value = 0; value < 256; value += 1) {
    uint64_t sum = value;
    for (int bit = 0; bit < 8; bit += 1) sum = times_x(sum);
    table[0][value] = sum;
  }
  for (int index = 1; index < 8; index += 1)
    for (int value = 0; value < 256; value += 1) {
      uint64_t before = table[index - 1][value];
      table[index][value] = before >> 8 ^ table[0][before & 255];
    }
#if defined(__x86_64__)
  past_fold = distance_of(8 * FOLD);
  past_lane = distance_of(128);
  can_fold = has_multiplication();
#endif
}

/* MARK: Public functions */

uint64_t dray_crc64nvme_by_table(uint64_t sum, const void *bytes, size_t count) {
  pthread_once(&once, prepare);
  return ~added(~sum, bytes, count);
}

uint64_t dray_crc64nvme(uint64_t sum, const void *data, size_t count) {
  pthread_once(&once, prepare);
  const uint8_t *bytes = data;
  uint64_t state = ~sum;
#if defined(__x86_64__)
  if (can_fold && count >= FOLD) {
    size_t done = fold(&state, bytes, count);
    bytes += done;
    count -= done;
  }
#endif
  return ~added(state, bytes, count);
}
