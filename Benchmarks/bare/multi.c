// The best that libcurl allows for many small files: the given number of handles on one multi handle, each taking the
// next URL when it ends; connections kept; files written but not synced. The names are the URLs' last components.
// Usage: multi LIST DIRECTORY HANDLES

#include <curl/curl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FILE *list;
static int directory;

static size_t receive(char *bytes, size_t one, size_t length, void *file) {
  (void)one;
  return write((int)(long)file, bytes, length) == (ssize_t)length ? length : 0;
}

// Gives a handle the next URL. Returns whether there was one.
static int start(CURLM *multi, CURL *easy) {
  static char line[4096];
  if (!fgets(line, sizeof line, list)) return 0;
  line[strcspn(line, "\r\n")] = 0;
  int file = openat(directory, strrchr(line, '/') + 1, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0) perror(line), exit(1);
  curl_easy_setopt(easy, CURLOPT_URL, line);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, (void *)(long)file);
  curl_easy_setopt(easy, CURLOPT_PRIVATE, (void *)(long)file);
  return curl_multi_add_handle(multi, easy) == CURLM_OK;
}

int main(int count, char **arguments) {
  if (count != 4) return fprintf(stderr, "usage: multi LIST DIRECTORY HANDLES\n"), 2;
  list = fopen(arguments[1], "r");
  directory = open(arguments[2], O_RDONLY | O_DIRECTORY);
  if (!list || directory < 0) return perror("multi"), 1;
  curl_global_init(CURL_GLOBAL_DEFAULT);
  CURLM *multi = curl_multi_init();
  int handles = atoi(arguments[3]), running = 0;
  for (int n = 0; n < handles; n++) {
    CURL *easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_FAILONERROR, 1L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive);
    running += start(multi, easy);
  }
  while (running > 0) {
    int active, left;
    curl_multi_perform(multi, &active);
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
      CURL *easy = message->easy_handle;
      if (message->data.result) return fprintf(stderr, "multi: %s\n", curl_easy_strerror(message->data.result)), 1;
      void *file;
      curl_easy_getinfo(easy, CURLINFO_PRIVATE, &file);
      close((int)(long)file);
      curl_multi_remove_handle(multi, easy);
      running -= !start(multi, easy);
    }
    if (running > 0) curl_multi_poll(multi, NULL, 0, 1000, NULL);
  }
  return 0;
}
