// The best that libcurl allows for one file that must be safe on disk: bytes gathered before each write, blocks
// reserved, write-back started early, synced at the end. It has only libcurl's own checks, and cannot resume.
// Usage: libcurl URL FILE [CAFILE]

#define _GNU_SOURCE
#include <curl/curl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { GATHER = 64 << 10, WRITE_BACK = 8 << 20 };

static struct {
  CURL *easy;
  int file;
  off_t written, synced;
  size_t gathered;
  char buffer[GATHER];
} it;

static int flush(void) {
  for (size_t done = 0; done < it.gathered;) {
    ssize_t count = pwrite(it.file, it.buffer + done, it.gathered - done, it.written);
    if (count < 0) return 0;
    done += (size_t)count;
    it.written += count;
  }
  it.gathered = 0;
  if (it.written - it.synced >= WRITE_BACK) {
    sync_file_range(it.file, it.synced, it.written - it.synced, SYNC_FILE_RANGE_WRITE);
    it.synced = it.written;
  }
  return 1;
}

static size_t receive(char *bytes, size_t one, size_t length, void *nothing) {
  (void)one, (void)nothing;
  if (it.written == 0 && it.gathered == 0) {
    curl_off_t size = -1;
    curl_easy_getinfo(it.easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &size);
    // Without support in the file system, the file simply grows.
    if (size > 0) (void)!fallocate(it.file, FALLOC_FL_KEEP_SIZE, 0, size);
  }
  for (size_t taken = 0; taken < length;) {
    size_t part = length - taken < GATHER - it.gathered ? length - taken : GATHER - it.gathered;
    memcpy(it.buffer + it.gathered, bytes + taken, part);
    taken += part;
    it.gathered += part;
    if (it.gathered == GATHER && !flush()) return 0;
  }
  return length;
}

int main(int count, char **arguments) {
  if (count < 3) return fprintf(stderr, "usage: libcurl URL FILE [CAFILE]\n"), 2;
  it.file = open(arguments[2], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (it.file < 0) return perror(arguments[2]), 1;
  curl_global_init(CURL_GLOBAL_DEFAULT);
  it.easy = curl_easy_init();
  curl_easy_setopt(it.easy, CURLOPT_URL, arguments[1]);
  curl_easy_setopt(it.easy, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(it.easy, CURLOPT_BUFFERSIZE, (long)GATHER);
  curl_easy_setopt(it.easy, CURLOPT_WRITEFUNCTION, receive);
  if (count > 3) curl_easy_setopt(it.easy, CURLOPT_CAINFO, arguments[3]);
  CURLcode result = curl_easy_perform(it.easy);
  if (result) return fprintf(stderr, "libcurl: %s\n", curl_easy_strerror(result)), 1;
  if (!flush() || fdatasync(it.file) || close(it.file)) return perror(arguments[2]), 1;
  return 0;
}
