/*
 * A measuring core in C: a wall, 2 m ahead and endlessly long. Put your sensor in its place.
 *
 *   cc -std=c99 -O2 -o wall-core wall-core.c -lm
 *   ./wall-core /tmp/core.sock
 */
#define AZC_IMPLEMENTATION
#include "azimuth-core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static azc_core core;

/* Echoes of a segment. */
static float distance[AZC_ECHOES * AZC_MOST_BEAMS];
static uint16_t rssi[AZC_ECHOES * AZC_MOST_BEAMS];

/* Fills in the first echo of each beam. */
static void measure(const azc_order *order, uint32_t first, uint32_t count) {
  uint32_t beam;
  memset(distance, 0, AZC_ECHOES * count * sizeof *distance);
  memset(rssi, 0, AZC_ECHOES * count * sizeof *rssi);
  for (beam = 0; beam < count; beam += 1) {
    double ahead = cos((order->first_angle + (first + beam) * order->step) * 3.14159265358979323846 / 180);
    /* From 84 degrees on the wall is too far away; behind there is nothing. */
    if (ahead < 0.1) continue;
    distance[AZC_ECHOES * beam] = (float)(2000 / ahead);
    rssi[AZC_ECHOES * beam] = (uint16_t)(40000 * ahead);
  }
}

/* Measures until there is another order. A sensor has a rotating mirror; the clock replaces it. */
static void run(azc_order order) {
  double period = 1e9 / order.frequency;
  double beam_time = 1e9 * order.step / (360 * order.frequency);
  uint32_t most = order.beams_per_segment < AZC_MOST_BEAMS ? order.beams_per_segment : AZC_MOST_BEAMS;
  uint32_t turn = 0;
  for (;; turn += 1) {
    /* The mirror rotates on from the origin. Turns that are over, for example before the order, are not measured. */
    double turns = ceil((double)(azc_now() - order.origin_time) / period);
    int64_t begin;
    uint32_t first, count;
    if (turns > turn + 2.0 || turn == 0) turn = turns > 0 ? (uint32_t)turns : 0;
    begin = order.origin_time + (int64_t)(turn * period);
    for (first = 0; first < order.beams; first += count) {
      const azc_order *now;
      count = order.beams - first < most ? order.beams - first : most;
      /* The segment leaves when its last beam has been measured. */
      azc_wait(&core, begin + (int64_t)((first + count - 1) * beam_time));
      now = azc_current(&core);
      if (now == NULL || now->number != order.number) return;
      measure(&order, first, count);
      azc_segment(&core, order.origin_number + turn, begin + (int64_t)(first * beam_time), first, count, distance,
                  rssi, NULL);
    }
  }
}

int main(int count, char **words) {
  char problem[sizeof core.problem] = "";
  if (count != 2) {
    fprintf(stderr, "usage: wall-core PATH|HOST:PORT\n");
    return 2;
  }
  azc_open(&core, words[1], "wall-core in C", 0);
  for (;;) {
    if (azc_current(&core) != NULL) run(*azc_current(&core));
    else azc_wait(&core, azc_now() + 100000000);
    if (strcmp(problem, azc_problem(&core)) != 0) {
      strcpy(problem, azc_problem(&core));
      if (problem[0] != 0) fprintf(stderr, "wall-core: %s; trying again\n", problem);
    }
  }
}
