/* CRC-32C. If the processor supports it, by carry-less multiplication of 256 bytes at once; otherwise with its CRC-32C
   instruction on three streams at once; otherwise with eight tables.

   A checksum is a polynomial over GF(2) modulo the polynomial of the code, with its highest power in the lowest bit.
   Each following byte multiplies it by x^8. So the streams of a stretch can be computed separately and joined
   afterwards, and so can the checksums of adjacent stretches. */

#include "crc32c.h"

#include <pthread.h>
#include <string.h>

#define POLYNOMIAL 0x82f63b78u

/* The length of each of the three streams in bytes. The instruction takes three cycles, and one can start in each cycle,
   so three streams keep it busy. Long streams fit the processor's cache; short ones are for the rest. */
#define LONG_STREAM 8192
#define SHORT_STREAM 256

/* table[k]: the effect of a byte on the checksum after k more zero bytes. */
static uint32_t table[8][256];
/* The value of each byte of a checksum after a stream of zero bytes. */
static uint32_t past_long[4][256], past_short[4][256];
/* x to the power of 2^k. A length has 64 bits and counts bytes of 8 bits, hence 67 powers. */
static uint32_t powers[67];
static int is_in_hardware;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint32_t times_x(uint32_t value) { return (value >> 1) ^ (POLYNOMIAL & (0u - (value & 1))); }

static uint32_t product(uint32_t first, uint32_t second) {
  uint32_t sum = 0;
  for (int power = 31; power >= 0; power -= 1) {
    sum ^= second & (0u - (first >> power & 1));
    second = times_x(second);
  }
  return sum;
}

/* Returns x to the power of `exponent` times 2^`shift`. */
static uint32_t x_to(uint64_t exponent, int shift) {
  uint32_t result = 1u << 31;
  for (int bit = shift; exponent != 0; exponent >>= 1, bit += 1)
    if (exponent & 1) result = product(powers[bit], result);
  return result;
}

static uint32_t x_to_bytes(uint64_t count) { return x_to(count, 3); }

static void fill_past(uint32_t past[4][256], size_t count) {
  uint32_t factor = x_to_bytes(count);
  for (int byte = 0; byte < 4; byte += 1) {
    past[byte][0] = 0;
    for (uint32_t bit = 1; bit < 256; bit <<= 1) past[byte][bit] = product(factor, bit << (8 * byte));
    for (uint32_t value = 1; value < 256; value += 1)
      past[byte][value] = past[byte][value & (value - 1)] ^ past[byte][value & (0u - value)];
  }
}

/* MARK: The instruction */

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

#define HAS_CODE 1
#define TARGET __attribute__((target("sse4.2")))
#define STEP_8(sum, word) _mm_crc32_u64(sum, word)
#define STEP_1(sum, byte) _mm_crc32_u8((uint32_t)(sum), byte)

static int has_instruction(void) {
  unsigned a, b, c, d;
  return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2);
}

#elif defined(__aarch64__) && defined(__AARCH64EL__)

#define HAS_CODE 1
#define TARGET __attribute__((target("crc")))
#define STEP_8(sum, word) __builtin_arm_crc32cd((uint32_t)(sum), word)
#define STEP_1(sum, byte) __builtin_arm_crc32cb((uint32_t)(sum), byte)

#if defined(__linux__)
#include <sys/auxv.h>
/* HWCAP_CRC32 in asm/hwcap.h. */
static int has_instruction(void) { return getauxval(AT_HWCAP) >> 7 & 1; }
#elif defined(__APPLE__)
static int has_instruction(void) { return 1; }
#else
static int has_instruction(void) { return 0; }
#endif

#else
#define HAS_CODE 0
static int has_instruction(void) { return 0; }
#endif

#if HAS_CODE

static inline uint64_t word_at(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  return word;
}

static inline uint64_t past(uint32_t zeros[4][256], uint64_t sum) {
  return zeros[0][sum & 255] ^ zeros[1][sum >> 8 & 255] ^ zeros[2][sum >> 16 & 255] ^ zeros[3][sum >> 24 & 255];
}

/* Adds three streams of `length` bytes each, which are adjacent in memory. */
TARGET static inline uint64_t three(uint64_t sum, const uint8_t *bytes, size_t length, uint32_t zeros[4][256]) {
  uint64_t second = 0, third = 0;
  for (const uint8_t *end = bytes + length; bytes < end; bytes += 8) {
    sum = STEP_8(sum, word_at(bytes));
    second = STEP_8(second, word_at(bytes + length));
    third = STEP_8(third, word_at(bytes + 2 * length));
  }
  return past(zeros, past(zeros, sum) ^ second) ^ third;
}

TARGET static uint32_t by_instruction(uint32_t start, const uint8_t *bytes, size_t count) {
  uint64_t sum = ~start;
  for (; count >= 3 * LONG_STREAM; bytes += 3 * LONG_STREAM, count -= 3 * LONG_STREAM)
    sum = three(sum, bytes, LONG_STREAM, past_long);
  for (; count >= 3 * SHORT_STREAM; bytes += 3 * SHORT_STREAM, count -= 3 * SHORT_STREAM)
    sum = three(sum, bytes, SHORT_STREAM, past_short);
  for (; count >= 8; bytes += 8, count -= 8) sum = STEP_8(sum, word_at(bytes));
  for (; count > 0; bytes += 1, count -= 1) sum = STEP_1(sum, *bytes);
  return ~(uint32_t)sum;
}

#endif

/* MARK: Folding */

#if defined(__x86_64__)

/* The number of bytes folded at once, in four registers of 64. */
#define FOLD 256
#define WIDE __attribute__((target("avx512f,avx512vl,vpclmulqdq,pclmul,sse4.2")))

static int can_fold;

/* The factors that move the two halves of 16 bytes over a distance in bits. A product of two reflected values is one bit
   short of its place; the factors compensate for that. */
struct distance {
  uint64_t first, second;
};
static struct distance past_fold, past_register, past_lane;

static struct distance distance_of(uint64_t bits) {
  struct distance result = {(uint64_t)x_to(bits + 63, 0) << 32, (uint64_t)x_to(bits - 1, 0) << 32};
  return result;
}

static int has_folding(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE) || !(c & bit_PCLMUL) || !(c & bit_SSE4_2)) return 0;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return 0;
  /* AVX512F, AVX512VL and VPCLMULQDQ, and the system saves their registers. */
  if (!(b >> 16 & 1) || !(b >> 31 & 1) || !(c >> 10 & 1)) return 0;
  __asm__("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
  return (a & 0xe6) == 0xe6;
}

WIDE static inline __m512i wide(struct distance by) {
  return _mm512_broadcast_i32x4(_mm_set_epi64x((long long)by.second, (long long)by.first));
}

WIDE static inline __m512i folded(__m512i value, __m512i by, __m512i next) {
  __m512i first = _mm512_clmulepi64_epi128(value, by, 0x00), second = _mm512_clmulepi64_epi128(value, by, 0x11);
  return _mm512_ternarylogic_epi64(first, second, next, 0x96);
}

/* Folds all whole blocks of 256 bytes, of which there must be at least one. Returns the number of bytes. */
WIDE static size_t fold(uint32_t *sum, const uint8_t *bytes, size_t count) {
  const uint8_t *start = bytes;
  __m512i part[4], by = wide(past_fold);
  for (int index = 0; index < 4; index += 1) part[index] = _mm512_loadu_si512(bytes + 64 * index);
  part[0] = _mm512_xor_si512(part[0], _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)~*sum)));
  for (bytes += FOLD, count -= FOLD; count >= FOLD; bytes += FOLD, count -= FOLD)
    for (int index = 0; index < 4; index += 1)
      part[index] = folded(part[index], by, _mm512_loadu_si512(bytes + 64 * index));
  by = wide(past_register);
  for (int index = 0; index < 3; index += 1) part[index + 1] = folded(part[index], by, part[index + 1]);
  uint64_t words[8];
  _mm512_storeu_si512(words, part[3]);
  __m128i lane = _mm_set_epi64x((long long)words[1], (long long)words[0]);
  __m128i step = _mm_set_epi64x((long long)past_lane.second, (long long)past_lane.first);
  for (int index = 1; index < 4; index += 1)
    lane = _mm_xor_si128(
      _mm_xor_si128(_mm_clmulepi64_si128(lane, step, 0x00), _mm_clmulepi64_si128(lane, step, 0x11)),
      _mm_set_epi64x((long long)words[2 * index + 1], (long long)words[2 * index]));
  uint64_t state = _mm_crc32_u64(0, (uint64_t)_mm_extract_epi64(lane, 0));
  *sum = ~(uint32_t)_mm_crc32_u64(state, (uint64_t)_mm_extract_epi64(lane, 1));
  return (size_t)(bytes - start);
}

#endif

static void prepare(void) {
  for (uint32_t value = 0; value < 256; value += 1) {
    uint32_t sum = value;
    for (int bit = 0; bit < 8; bit += 1) sum = times_x(sum);
    table[0][value] = sum;
  }
  for (int index = 1; index < 8; index += 1)
    for (uint32_t value = 0; value < 256; value += 1) {
      uint32_t before = table[index - 1][value];
      table[index][value] = before >> 8 ^ table[0][before & 255];
    }
  powers[0] = 1u << 30;
  for (int index = 1; index < 67; index += 1) powers[index] = product(powers[index - 1], powers[index - 1]);
  fill_past(past_long, LONG_STREAM);
  fill_past(past_short, SHORT_STREAM);
  is_in_hardware = has_instruction();
#if defined(__x86_64__)
  past_fold = distance_of(8 * FOLD);
  past_register = distance_of(512);
  past_lane = distance_of(128);
  can_fold = has_folding();
#endif
}

/* MARK: Public functions */

uint32_t dray_crc32c_by_table(uint32_t start, const void *data, size_t count) {
  pthread_once(&once, prepare);
  const uint8_t *bytes = data;
  uint32_t sum = ~start;
  for (; count >= 8; bytes += 8, count -= 8) {
    /* Byte by byte, so that byte order does not matter. */
    uint32_t low = sum ^ ((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16
      | (uint32_t)bytes[3] << 24);
    sum = table[7][low & 255] ^ table[6][low >> 8 & 255] ^ table[5][low >> 16 & 255] ^ table[4][low >> 24]
      ^ table[3][bytes[4]] ^ table[2][bytes[5]] ^ table[1][bytes[6]] ^ table[0][bytes[7]];
  }
  for (; count > 0; bytes += 1, count -= 1) sum = sum >> 8 ^ table[0][(sum ^ *bytes) & 255];
  return ~sum;
}

uint32_t dray_crc32c(uint32_t sum, const void *bytes, size_t count) {
  pthread_once(&once, prepare);
#if defined(__x86_64__)
  if (can_fold && count >= 2 * FOLD) {
    size_t done = fold(&sum, bytes, count);
    bytes = (const uint8_t *)bytes + done;
    count -= done;
  }
#endif
  return dray_crc32c_by_instruction(sum, bytes, count);
}

uint32_t dray_crc32c_by_instruction(uint32_t sum, const void *bytes, size_t count) {
  pthread_once(&once, prepare);
#if HAS_CODE
  if (is_in_hardware) return by_instruction(sum, bytes, count);
#endif
  return dray_crc32c_by_table(sum, bytes, count);
}

uint32_t dray_crc32c_factor(uint64_t count) {
  pthread_once(&once, prepare);
  return x_to_bytes(count);
}

uint32_t dray_crc32c_joined(uint32_t first, uint32_t second, uint32_t factor) {
  return product(factor, first) ^ second;
}
