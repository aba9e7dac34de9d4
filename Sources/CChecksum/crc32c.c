/* CRC-32C: three streams at once with the processor's instruction, eight tables without it.

   A checksum is a polynomial over GF(2) modulo the polynomial of the code, its highest power in the lowest bit. Bytes that
   follow multiply it by x^8 each. So the streams of one stretch can be summed apart and put together afterwards, and so can
   the checksums of stretches that somebody else has summed. */

#include "crc32c.h"

#include <pthread.h>
#include <string.h>

#define POLYNOMIAL 0x82f63b78u

/* Bytes of each of the three streams. The instruction takes three cycles and can be begun in each: three streams keep it
   busy. Long ones for what fits the processor's cache, short ones for what is left. */
#define LONG_STREAM 8192
#define SHORT_STREAM 256

/* The checksum after 8 - k more bytes that are zero, by the value of one byte. */
static uint32_t table[8][256];
/* What each byte of a checksum comes to after a stream of zeros. */
static uint32_t past_long[4][256], past_short[4][256];
/* x to the power of 2^k; lengths are 64 bits of bytes, of 8 bits each. */
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

static uint32_t x_to_bytes(uint64_t count) {
  uint32_t result = 1u << 31;
  for (int bit = 3; count != 0; count >>= 1, bit += 1)
    if (count & 1) result = product(powers[bit], result);
  return result;
}

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
#include <nmmintrin.h>

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
/* HWCAP_CRC32 of asm/hwcap.h. */
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

/* Takes three streams of `length` bytes, one after the other in memory. */
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
}

/* MARK: For everybody */

uint32_t dray_crc32c_by_table(uint32_t start, const void *data, size_t count) {
  pthread_once(&once, prepare);
  const uint8_t *bytes = data;
  uint32_t sum = ~start;
  for (; count >= 8; bytes += 8, count -= 8) {
    /* Byte by byte, so that the order of bytes in a word does not matter. */
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
#if HAS_CODE
  if (is_in_hardware) return by_instruction(sum, bytes, count);
#endif
  return dray_crc32c_by_table(sum, bytes, count);
}

int dray_crc32c_is_in_hardware(void) {
  pthread_once(&once, prepare);
  return is_in_hardware;
}

uint32_t dray_crc32c_factor(uint64_t count) {
  pthread_once(&once, prepare);
  return x_to_bytes(count);
}

uint32_t dray_crc32c_joined(uint32_t first, uint32_t second, uint32_t factor) {
  return product(factor, first) ^ second;
}
