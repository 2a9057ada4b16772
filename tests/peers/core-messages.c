/*
 * A core that uses every message of azimuth-core.h: its motor needs a second, it moves, and it reports an error and its end.
 *
 *   core-messages ADDRESS
 */
#define AZC_IMPLEMENTATION
#include "azimuth-core.h"

#include <stdlib.h>

static azc_core core;
static float distance[AZC_ECHOES * AZC_MOST_BEAMS];
static uint16_t rssi[AZC_ECHOES * AZC_MOST_BEAMS];
static uint8_t flags[AZC_ECHOES * AZC_MOST_BEAMS];

static const float acceleration[3] = {1, 2, 9.5f};
static const float angular_velocity[3] = {0.25f, 0, 0};
static const float orientation[4] = {1, 0, 0, 0};

static void run(azc_order order) {
  int64_t period = (int64_t)(1e9 / order.frequency);
  int64_t begin = azc_now() + 1000000000;
  uint32_t scan;
  azc_wait(&core, begin);
  if (!azc_started(&core)) return;
  for (scan = 0;; scan += 1) {
    const azc_order *now;
    azc_wait(&core, begin + (scan + 1) * period);
    now = azc_current(&core);
    if (now == NULL || now->number != order.number) return;
    azc_segment(&core, scan, begin + scan * period, 0, order.beams, distance, rssi, flags);
    azc_motion(&core, acceleration, angular_velocity, orientation);
    if (scan == 30) azc_status(&core, 1, "motor too slow");
    if (scan == 60) azc_status(&core, 0, "motor at speed");
  }
}

int main(int words, char **word) {
  size_t echo;
  if (words != 2) return 2;
  for (echo = 0; echo < sizeof distance / sizeof *distance; echo += AZC_ECHOES) {
    distance[echo] = 3000;
    rssi[echo] = 5140;
    flags[echo] = AZC_REFLECTOR;
  }
  azc_open(&core, word[1], "all messages", AZC_CAN_MOTION | AZC_CAN_STARTED);
  for (;;) {
    if (azc_current(&core) != NULL) run(*azc_current(&core));
    else azc_wait(&core, azc_now() + 100000000);
  }
}
