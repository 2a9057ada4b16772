// Decodes messages of ROS 2 with the CDR of CycloneDDS. It reads a type, a number of bytes and a line feed, then the bytes, for
// each message, and prints a line for each: the type, the frame and a number of the message.
// A header of CycloneDDS has a word that C itself lacks.
#define asm __asm__
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dds/dds.h"
#include "dds/ddsi/ddsi_serdata.h"
#include "messages.h"

struct kind {
  const char *name;
  const dds_topic_descriptor_t *descriptor;
  size_t size;
  const struct ddsi_sertype *type;
};

static void fail(const char *what) {
  printf("%s\n", what);
  exit(1);
}

/** Finds out how CycloneDDS encodes a type: by an empty message that it has written itself. */
static void learn(dds_entity_t participant, struct kind *kind) {
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(1));
  dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
  dds_entity_t topic = dds_create_topic(participant, kind->descriptor, kind->name, NULL, NULL);
  dds_entity_t reader = dds_create_reader(participant, topic, qos, NULL);
  dds_entity_t writer = dds_create_writer(participant, topic, qos, NULL);
  void *empty = calloc(1, kind->size);
  if (reader < 0 || writer < 0 || dds_write(writer, empty) != 0) fail("no reader or writer");
  struct ddsi_serdata *written = NULL;
  dds_sample_info_t info;
  for (int tries = 0; tries < 500 && dds_takecdr(reader, &written, 1, &info, DDS_ANY_STATE) < 1; tries++)
    dds_sleepfor(DDS_MSECS(10));
  if (written == NULL) fail("the empty message did not come");
  kind->type = written->type;
  dds_delete_qos(qos);
}

int main(void) {
  struct kind kinds[] = {
    {"LaserScan", &sensor_msgs_msg_dds__LaserScan__desc, sizeof(sensor_msgs_msg_dds__LaserScan_), NULL},
    {"MultiEchoLaserScan", &sensor_msgs_msg_dds__MultiEchoLaserScan__desc,
     sizeof(sensor_msgs_msg_dds__MultiEchoLaserScan_), NULL},
    {"PointCloud2", &sensor_msgs_msg_dds__PointCloud2__desc, sizeof(sensor_msgs_msg_dds__PointCloud2_), NULL},
    {"Imu", &sensor_msgs_msg_dds__Imu__desc, sizeof(sensor_msgs_msg_dds__Imu_), NULL},
    {"TFMessage", &tf2_msgs_msg_dds__TFMessage__desc, sizeof(tf2_msgs_msg_dds__TFMessage_), NULL},
  };
  dds_entity_t participant = dds_create_participant(DDS_DOMAIN_DEFAULT, NULL, NULL);
  if (participant < 0) fail("no participant");
  char name[64];
  unsigned length;
  while (scanf("%63s %u", name, &length) == 2) {
    getchar();
    unsigned char *bytes = malloc(length);
    if (bytes == NULL || fread(bytes, 1, length, stdin) != length) fail("cut off");
    struct kind *kind = NULL;
    for (size_t index = 0; index < sizeof kinds / sizeof *kinds; index++)
      if (strcmp(kinds[index].name, name) == 0) kind = &kinds[index];
    if (kind == NULL) fail(name);
    if (kind->type == NULL) learn(participant, kind);
    ddsrt_iovec_t part = {.iov_base = bytes, .iov_len = length};
    struct ddsi_serdata *data = ddsi_serdata_from_ser_iov(kind->type, SDK_DATA, 1, &part, length);
    void *message = calloc(1, kind->size);
    if (data == NULL || !ddsi_serdata_to_sample(data, message, NULL, NULL)) fail("refused");
    if (strcmp(name, "LaserScan") == 0) {
      sensor_msgs_msg_dds__LaserScan_ *scan = message;
      printf("%s %s %u\n", name, scan->header.frame_id, scan->ranges._length);
    } else if (strcmp(name, "MultiEchoLaserScan") == 0) {
      sensor_msgs_msg_dds__MultiEchoLaserScan_ *scan = message;
      printf("%s %s %u\n", name, scan->header.frame_id, scan->ranges._length);
    } else if (strcmp(name, "PointCloud2") == 0) {
      sensor_msgs_msg_dds__PointCloud2_ *cloud = message;
      printf("%s %s %u\n", name, cloud->header.frame_id, cloud->width);
    } else if (strcmp(name, "Imu") == 0) {
      sensor_msgs_msg_dds__Imu_ *imu = message;
      printf("%s %s %g\n", name, imu->header.frame_id, imu->linear_acceleration.z);
    } else {
      tf2_msgs_msg_dds__TFMessage_ *poses = message;
      printf("%s %s %u\n", name, poses->transforms._buffer[0].child_frame_id, poses->transforms._length);
    }
    free(bytes);
  }
  return 0;
}
