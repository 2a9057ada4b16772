// cyclonedds-publisher DOMAIN TOPIC READERS COUNT PERIOD_MS POINTS LEFT_OUT: waits until this many readers match, then
// writes this many scans, without the one with the number LEFT_OUT, and stays until stdin ends.
#include <dds/dds.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "messages.h"

static dds_entity_t checked(const char *what, dds_return_t result) {
  if (result >= 0) return result;
  fprintf(stderr, "%s: %s\n", what, dds_strretcode(-result));
  exit(1);
}

static dds_entity_t open_writer(dds_entity_t participant, const char *name) {
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
  dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 16);
  const dds_entity_t topic =
      checked("topic", dds_create_topic(participant, &sensor_msgs_msg_dds__LaserScan__desc, name, NULL, NULL));
  const dds_entity_t writer = checked("writer", dds_create_writer(participant, topic, qos, NULL));
  dds_delete_qos(qos);
  return writer;
}

/** Range i of scan n is n + i / 8 m, and its intensity i. */
static void write_scan(dds_entity_t writer, int number, int period, float *ranges, float *intensities, uint32_t points) {
  for (uint32_t at = 0; at < points; at += 1) {
    ranges[at] = (float)number + (float)at / 8;
    intensities[at] = (float)at;
  }
  const sensor_msgs_msg_dds__LaserScan_ scan = {
      .header = {{number * period / 1000, (uint32_t)(number * period % 1000) * 1000000}, "laser"},
      .angle_min = -1,
      .angle_max = 1,
      .angle_increment = 2 / (float)(points - 1),
      .ranges = {._length = points, ._maximum = points, ._buffer = ranges},
      .intensities = {._length = points, ._maximum = points, ._buffer = intensities},
  };
  checked("write", dds_write(writer, &scan));
}

int main(int count, char **words) {
  if (count != 8) return 2;
  const int readers = atoi(words[3]), scans = atoi(words[4]), period = atoi(words[5]), left_out = atoi(words[7]);
  const uint32_t points = (uint32_t)atoi(words[6]);
  float *ranges = calloc(points, sizeof(float)), *intensities = calloc(points, sizeof(float));
  const dds_entity_t participant =
      checked("participant", dds_create_participant((uint32_t)atoi(words[1]), NULL, NULL));
  const dds_entity_t writer = open_writer(participant, words[2]);
  dds_publication_matched_status_t matched = {0};
  while ((int)matched.current_count < readers) {
    checked("matched", dds_get_publication_matched_status(writer, &matched));
    dds_sleepfor(DDS_MSECS(5));
  }
  for (int number = 0; number < scans; number += 1) {
    if (number != left_out) write_scan(writer, number, period, ranges, intensities, points);
    dds_sleepfor(DDS_MSECS(period));
  }
  char ignored;
  while (read(STDIN_FILENO, &ignored, 1) > 0) continue;
  dds_delete(participant);
  return 0;
}
