/* CRC-32C (Castagnoli), the checksum of iSCSI (RFC 3720 §12.1), ext4, btrfs and object stores: reflected polynomial
   0x82f63b78, all ones as initial value and final XOR. No policy here.

   If the processor supports it, by carry-less multiplication of 256 bytes at once; otherwise with its CRC-32C
   instruction on three streams at once; otherwise with eight tables.

   A checksum is a polynomial over GF(2) modulo the polynomial of the code, with its highest power in the lowest bit.
   Each following byte multiplies it by x^8. So the streams of a stretch can be computed separately and joined
   afterwards, and so can the checksums of adjacent stretches.

   All is in the header, which Swift compiles with the module that imports it. A C file would be compiled among those of
   the packages, and most of the program would wait for it. Each variable has a value, as the importer of Swift leaves out
   tentative definitions. */

#ifndef DRAY_CRC32C_H
#define DRAY_CRC32C_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CRC32C_POLYNOMIAL 0x82f63b78u

/* The length of each of the three streams in bytes. The instruction takes three cycles, and one can start in each cycle,
   so three streams keep it busy. Long streams fit the processor's cache; short ones are for the rest. */
#define CRC32C_LONG_STREAM 8192
#define CRC32C_SHORT_STREAM 256

/* crc32c_table[k]: the effect of a byte on the checksum after k more zero bytes. */
static uint32_t crc32c_table[8][256] = {0};
/* The value of each byte of a checksum after a stream of zero bytes. */
static uint32_t crc32c_past_long[4][256] = {0};
static uint32_t crc32c_past_short[4][256] = {0};
/* x to the power of 2^k. A length has 64 bits and counts bytes of 8 bits, hence 67 powers. */
static uint32_t crc32c_powers[67] = {0};
static int crc32c_is_in_hardware = 0;
static pthread_once_t crc32c_once = PTHREAD_ONCE_INIT;

static inline uint32_t crc32c_times_x(uint32_t value) {
  return (value >> 1) ^ (CRC32C_POLYNOMIAL & (0u - (value & 1)));
}

static inline uint32_t crc32c_product(uint32_t first, uint32_t second) {
  uint32_t sum = 0;
  for (int power = 31; power >= 0; power -= 1) {
    sum ^= second & (0u - (first >> power & 1));
    second = crc32c_times_x(second);
  }
  return sum;
}

/* Returns x to the power of `exponent` times 2^`shift`. */
static inline uint32_t crc32c_x_to(uint64_t exponent, int shift) {
  uint32_t result = 1u << 31;
  for (int bit = shift; exponent != 0; exponent >>= 1, bit += 1)
    if (exponent & 1) result = crc32c_product(crc32c_powers[bit], result);
  return result;
}

static inline uint32_t crc32c_x_to_bytes(uint64_t count) { return crc32c_x_to(count, 3); }

static inline void crc32c_fill_past(uint32_t past[4][256], size_t count) {
  uint32_t factor = crc32c_x_to_bytes(count);
  for (int byte = 0; byte < 4; byte += 1) {
    past[byte][0] = 0;
    for (uint32_t bit = 1; bit < 256; bit <<= 1) past[byte][bit] = crc32c_product(factor, bit << (8 * byte));
    for (uint32_t value = 1; value < 256; value += 1)
      past[byte][value] = past[byte][value & (value - 1)] ^ past[byte][value & (0u - value)];
  }
}

/* MARK: The instruction */

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

#define CRC32C_HAS_CODE 1
#define CRC32C_TARGET __attribute__((target("sse4.2")))
#define CRC32C_STEP_8(sum, word) _mm_crc32_u64(sum, word)
#define CRC32C_STEP_1(sum, byte) _mm_crc32_u8((uint32_t)(sum), byte)

static inline int crc32c_has_instruction(void) {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2);
}

#elif defined(__aarch64__) && defined(__AARCH64EL__)

#define CRC32C_HAS_CODE 1
#define CRC32C_TARGET __attribute__((target("crc")))
#define CRC32C_STEP_8(sum, word) __builtin_arm_crc32cd((uint32_t)(sum), word)
#define CRC32C_STEP_1(sum, byte) __builtin_arm_crc32cb((uint32_t)(sum), byte)

#if defined(__linux__)
#include <sys/auxv.h>
/* HWCAP_CRC32 in asm/hwcap.h. */
static inline int crc32c_has_instruction(void) { return getauxval(AT_HWCAP) >> 7 & 1; }
#elif defined(__APPLE__)
static inline int crc32c_has_instruction(void) { return 1; }
#else
static inline int crc32c_has_instruction(void) { return 0; }
#endif

#else
#define CRC32C_HAS_CODE 0
static inline int crc32c_has_instruction(void) { return 0; }
#endif

#if CRC32C_HAS_CODE

static inline uint64_t crc32c_word_at(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  return word;
}

static inline uint64_t crc32c_past(uint32_t zeros[4][256], uint64_t sum) {
  return zeros[0][sum & 255] ^ zeros[1][sum >> 8 & 255] ^ zeros[2][sum >> 16 & 255] ^ zeros[3][sum >> 24 & 255];
}

/* Adds three streams of `length` bytes each, which are adjacent in memory. */
CRC32C_TARGET static inline uint64_t crc32c_three(
  uint64_t sum, const uint8_t *bytes, size_t length, uint32_t zeros[4][256]) {
  uint64_t second = 0, third = 0;
  for (const uint8_t *end = bytes + length; bytes < end; bytes += 8) {
    sum = CRC32C_STEP_8(sum, crc32c_word_at(bytes));
    second = CRC32C_STEP_8(second, crc32c_word_at(bytes + length));
    third = CRC32C_STEP_8(third, crc32c_word_at(bytes + 2 * length));
  }
  return crc32c_past(zeros, crc32c_past(zeros, sum) ^ second) ^ third;
}

CRC32C_TARGET static inline uint32_t crc32c_by_instruction(uint32_t start, const uint8_t *bytes, size_t count) {
  uint64_t sum = ~start;
  for (; count >= 3 * CRC32C_LONG_STREAM; bytes += 3 * CRC32C_LONG_STREAM, count -= 3 * CRC32C_LONG_STREAM)
    sum = crc32c_three(sum, bytes, CRC32C_LONG_STREAM, crc32c_past_long);
  for (; count >= 3 * CRC32C_SHORT_STREAM; bytes += 3 * CRC32C_SHORT_STREAM, count -= 3 * CRC32C_SHORT_STREAM)
    sum = crc32c_three(sum, bytes, CRC32C_SHORT_STREAM, crc32c_past_short);
  for (; count >= 8; bytes += 8, count -= 8) sum = CRC32C_STEP_8(sum, crc32c_word_at(bytes));
  for (; count > 0; bytes += 1, count -= 1) sum = CRC32C_STEP_1(sum, *bytes);
  return ~(uint32_t)sum;
}

#endif

/* MARK: Folding */

#if defined(__x86_64__)

/* The number of bytes folded at once, in four registers of 64. */
#define CRC32C_FOLD 256
#define CRC32C_WIDE __attribute__((target("avx512f,avx512vl,vpclmulqdq,pclmul,sse4.2")))

static int crc32c_can_fold = 0;

/* The factors that move the two halves of 16 bytes over a distance in bits. A product of two reflected values is one bit
   short of its place; the factors compensate for that. */
struct crc32c_distance {
  uint64_t first, second;
};
static struct crc32c_distance crc32c_past_fold = {0};
static struct crc32c_distance crc32c_past_register = {0};
static struct crc32c_distance crc32c_past_lane = {0};

static inline struct crc32c_distance crc32c_distance_of(uint64_t bits) {
  struct crc32c_distance result = {(uint64_t)crc32c_x_to(bits + 63, 0) << 32, (uint64_t)crc32c_x_to(bits - 1, 0) << 32};
  return result;
}

static inline int crc32c_has_folding(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_PCLMUL) || !(c & bit_SSE4_2)) return 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
  /* AVX512F, AVX512VL and VPCLMULQDQ, and the system saves their registers. */
  if (!(b >> 16 & 1) || !(b >> 31 & 1) || !(c >> 10 & 1)) return 0;
  __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
  return (a & 0xe6) == 0xe6;
}

CRC32C_WIDE static inline __m512i crc32c_wide(struct crc32c_distance by) {
  return _mm512_broadcast_i32x4(_mm_set_epi64x((long long)by.second, (long long)by.first));
}

CRC32C_WIDE static inline __m512i crc32c_folded(__m512i value, __m512i by, __m512i next) {
  __m512i first = _mm512_clmulepi64_epi128(value, by, 0x00), second = _mm512_clmulepi64_epi128(value, by, 0x11);
  return _mm512_ternarylogic_epi64(first, second, next, 0x96);
}

/* Folds all whole blocks of 256 bytes, of which there must be at least one. Returns the number of bytes. */
CRC32C_WIDE static inline size_t crc32c_fold(uint32_t *sum, const uint8_t *bytes, size_t count) {
  const uint8_t *start = bytes;
  __m512i part[4], by = crc32c_wide(crc32c_past_fold);
  for (int index = 0; index < 4; index += 1) part[index] = _mm512_loadu_si512(bytes + 64 * index);
  part[0] = _mm512_xor_si512(part[0], _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)~*sum)));
  for (bytes += CRC32C_FOLD, count -= CRC32C_FOLD; count >= CRC32C_FOLD; bytes += CRC32C_FOLD, count -= CRC32C_FOLD)
    for (int index = 0; index < 4; index += 1)
      part[index] = crc32c_folded(part[index], by, _mm512_loadu_si512(bytes + 64 * index));
  by = crc32c_wide(crc32c_past_register);
  for (int index = 0; index < 3; index += 1) part[index + 1] = crc32c_folded(part[index], by, part[index + 1]);
  uint64_t words[8];
  _mm512_storeu_si512(words, part[3]);
  __m128i lane = _mm_set_epi64x((long long)words[1], (long long)words[0]);
  __m128i step = _mm_set_epi64x((long long)crc32c_past_lane.second, (long long)crc32c_past_lane.first);
  for (int index = 1; index < 4; index += 1)
    lane = _mm_xor_si128(
      _mm_xor_si128(_mm_clmulepi64_si128(lane, step, 0x00), _mm_clmulepi64_si128(lane, step, 0x11)),
      _mm_set_epi64x((long long)words[2 * index + 1], (long long)words[2 * index]));
  uint64_t state = _mm_crc32_u64(0, (uint64_t)_mm_extract_epi64(lane, 0));
  *sum = ~(uint32_t)_mm_crc32_u64(state, (uint64_t)_mm_extract_epi64(lane, 1));
  return (size_t)(bytes - start);
}

#endif

static inline void crc32c_prepare(void) {
  for (uint32_t value = 0; value < 256; value += 1) {
    uint32_t sum = value;
    for (int bit = 0; bit < 8; bit += 1) sum = crc32c_times_x(sum);
    crc32c_table[0][value] = sum;
  }
  for (int index = 1; index < 8; index += 1)
    for (uint32_t value = 0; value < 256; value += 1) {
      uint32_t before = crc32c_table[index - 1][value];
      crc32c_table[index][value] = before >> 8 ^ crc32c_table[0][before & 255];
    }
  crc32c_powers[0] = 1u << 30;
  for (int index = 1; index < 67; index += 1)
    crc32c_powers[index] = crc32c_product(crc32c_powers[index - 1], crc32c_powers[index - 1]);
  crc32c_fill_past(crc32c_past_long, CRC32C_LONG_STREAM);
  crc32c_fill_past(crc32c_past_short, CRC32C_SHORT_STREAM);
  crc32c_is_in_hardware = crc32c_has_instruction();
#if defined(__x86_64__)
  crc32c_past_fold = crc32c_distance_of(8 * CRC32C_FOLD);
  crc32c_past_register = crc32c_distance_of(512);
  crc32c_past_lane = crc32c_distance_of(128);
  crc32c_can_fold = crc32c_has_folding();
#endif
}

/* MARK: Public functions */

/* Returns the checksum as `dray_crc32c` does, with tables only. */
static inline uint32_t dray_crc32c_by_table(uint32_t start, const void *data, size_t count) {
  pthread_once(&crc32c_once, crc32c_prepare);
  const uint8_t *bytes = data;
  uint32_t sum = ~start;
  for (; count >= 8; bytes += 8, count -= 8) {
    /* Byte by byte, so that byte order does not matter. */
    uint32_t low = sum ^ ((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16
      | (uint32_t)bytes[3] << 24);
    sum = crc32c_table[7][low & 255] ^ crc32c_table[6][low >> 8 & 255] ^ crc32c_table[5][low >> 16 & 255]
      ^ crc32c_table[4][low >> 24]
      ^ crc32c_table[3][bytes[4]] ^ crc32c_table[2][bytes[5]] ^ crc32c_table[1][bytes[6]] ^ crc32c_table[0][bytes[7]];
  }
  for (; count > 0; bytes += 1, count -= 1) sum = sum >> 8 ^ crc32c_table[0][(sum ^ *bytes) & 255];
  return ~sum;
}

/* Returns the checksum as `dray_crc32c` does, with only the processor's CRC-32C instruction; with tables if it has none. */
static inline uint32_t dray_crc32c_by_instruction(uint32_t sum, const void *bytes, size_t count) {
  pthread_once(&crc32c_once, crc32c_prepare);
#if CRC32C_HAS_CODE
  if (crc32c_is_in_hardware) return crc32c_by_instruction(sum, bytes, count);
#endif
  return dray_crc32c_by_table(sum, bytes, count);
}

/* Returns the checksum of the bytes with checksum `sum`, followed by `count` bytes; 0 is the checksum of no bytes. */
static inline uint32_t dray_crc32c(uint32_t sum, const void *bytes, size_t count) {
  pthread_once(&crc32c_once, crc32c_prepare);
#if defined(__x86_64__)
  if (crc32c_can_fold && count >= 2 * CRC32C_FOLD) {
    size_t done = crc32c_fold(&sum, bytes, count);
    bytes = (const uint8_t *)bytes + done;
    count -= done;
  }
#endif
  return dray_crc32c_by_instruction(sum, bytes, count);
}

/* Returns the factor that moves a checksum over `count` bytes. It costs some hundred steps, once per length. */
static inline uint32_t dray_crc32c_factor(uint64_t count) {
  pthread_once(&crc32c_once, crc32c_prepare);
  return crc32c_x_to_bytes(count);
}

/* Returns the checksum of two adjacent stretches. `factor` is that of the second one's length. */
static inline uint32_t dray_crc32c_joined(uint32_t first, uint32_t second, uint32_t factor) {
  return crc32c_product(factor, first) ^ second;
}

#endif
