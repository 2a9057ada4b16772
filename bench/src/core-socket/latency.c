/*
 * The two ends of a scanner, for the benchmark: a core that says when it has written each segment, and a receiver that says
 * when each datagram has come. Both use CLOCK_MONOTONIC. At SIGTERM, each writes its times to a file.
 *
 *   latency core ADDRESS FILE     lines: scan, first beam, begin and end of its measurement, written (ns)
 *   latency receive FILE          prints its port; lines: telegram, frame, segment, received (ns)
 */
#define AZC_IMPLEMENTATION
#include "azimuth-core.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int64_t values[5];
} record;

static record *records;
static size_t count, capacity;
static volatile sig_atomic_t ends;

static void on_end(int signal) {
  (void)signal;
  ends = 1;
}

static void add(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e) {
  record one = {{a, b, c, d, e}};
  if (count == capacity) {
    capacity = capacity == 0 ? 100000 : 2 * capacity;
    records = realloc(records, capacity * sizeof *records);
    if (records == NULL) exit(1);
  }
  records[count++] = one;
}

static int save(const char *path, int columns) {
  FILE *file = fopen(path, "w");
  size_t each;
  int column;
  if (file == NULL) return 1;
  for (each = 0; each < count; each += 1)
    for (column = 0; column < columns; column += 1)
      fprintf(file, column + 1 < columns ? "%lld " : "%lld\n", (long long)records[each].values[column]);
  return fclose(file) == 0 ? 0 : 1;
}

static azc_core core;
static float distance[AZC_ECHOES * AZC_MOST_BEAMS];
static uint16_t rssi[AZC_ECHOES * AZC_MOST_BEAMS];

/* Measures by one order, always the same three echoes. */
static void measure(azc_order order) {
  double period = 1e9 / order.frequency;
  double beam_time = 1e9 * order.step / (360 * order.frequency);
  uint32_t turn = (uint32_t)fmax(0, ceil((double)(azc_now() - order.origin_time) / period));
  for (;; turn += 1) {
    int64_t begin = order.origin_time + (int64_t)(turn * period);
    uint32_t first, beams;
    for (first = 0; first < order.beams; first += beams) {
      const azc_order *now;
      int64_t from = begin + (int64_t)(first * beam_time);
      int64_t to;
      beams = order.beams - first < order.beams_per_segment ? order.beams - first : order.beams_per_segment;
      to = begin + (int64_t)((first + beams - 1) * beam_time);
      azc_wait(&core, to);
      now = azc_current(&core);
      if (ends || now == NULL || now->number != order.number) return;
      if (azc_segment(&core, order.origin_number + turn, from, first, beams, distance, rssi, NULL))
        add((int64_t)order.origin_number + turn, first, from, to, azc_now());
    }
  }
}

static int run_core(const char *address, const char *file) {
  size_t echo;
  for (echo = 0; echo < sizeof distance / sizeof *distance; echo += 1) {
    distance[echo] = (float)(2000 + 1000 * (echo % AZC_ECHOES) + echo);
    rssi[echo] = (uint16_t)(10000 + echo);
  }
  azc_open(&core, address, "benchmark", 0);
  while (!ends) {
    if (azc_current(&core) != NULL) measure(*azc_current(&core));
    else azc_wait(&core, azc_now() + 20000000);
  }
  return save(file, 5);
}

static int run_receiver(const char *file) {
  unsigned char datagram[65536];
  struct sockaddr_in address;
  socklen_t bytes = sizeof address;
  int buffer = 4 * 1024 * 1024;
  int from = socket(AF_INET, SOCK_DGRAM, 0);
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  setsockopt(from, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof buffer);
  if (bind(from, (struct sockaddr *)&address, bytes) != 0) return 1;
  if (getsockname(from, (struct sockaddr *)&address, &bytes) != 0) return 1;
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  while (!ends) {
    ssize_t received = recv(from, datagram, sizeof datagram, 0);
    int64_t now = azc_now();
    /* Compact: number of the telegram in the header; segment and frame at the beginning of the only module. */
    if (received > 48)
      add((int64_t)azc_get64(datagram + 8), (int64_t)azc_get64(datagram + 40), (int64_t)azc_get64(datagram + 32), now, 0);
  }
  return save(file, 4);
}

int main(int words, char **word) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_end;
  sigaction(SIGTERM, &action, NULL);
  if (words == 4 && strcmp(word[1], "core") == 0) return run_core(word[2], word[3]);
  if (words == 3 && strcmp(word[1], "receive") == 0) return run_receiver(word[2]);
  return 2;
}
