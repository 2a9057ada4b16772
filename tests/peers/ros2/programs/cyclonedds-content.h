// What a sample of each message says, from the types that idlc generates.
#ifndef CYCLONEDDS_CONTENT_H
#define CYCLONEDDS_CONTENT_H

#include <dds/dds.h>

#include "messages.h"
#include "report.h"

struct type {
  const char *name;
  const dds_topic_descriptor_t *descriptor;
  void (*describe)(struct line *, const void *, bool);
};

static void add_header(struct line *line, const std_msgs_msg_dds__Header_ *header) {
  append(line, ",\"stamp\":[%d,%u]", header->stamp.sec, header->stamp.nanosec);
  add_text(line, "frame", header->frame_id);
}

static void describe_scan(struct line *line, const void *sample, bool full) {
  const sensor_msgs_msg_dds__LaserScan_ *scan = sample;
  add_header(line, &scan->header);
  add_float(line, "angleMin", scan->angle_min);
  add_float(line, "angleMax", scan->angle_max);
  add_float(line, "angleIncrement", scan->angle_increment);
  add_float(line, "timeIncrement", scan->time_increment);
  add_float(line, "scanTime", scan->scan_time);
  add_float(line, "rangeMin", scan->range_min);
  add_float(line, "rangeMax", scan->range_max);
  add_whole(line, "size", scan->ranges._length);
  uint32_t sum = digest(digest_start, scan->ranges._buffer, scan->ranges._length * sizeof(float));
  sum = digest(sum, scan->intensities._buffer, scan->intensities._length * sizeof(float));
  add_whole(line, "digest", sum);
  if (!full) return;
  append(line, ",\"ranges\":");
  append_floats(line, scan->ranges._buffer, scan->ranges._length);
  append(line, ",\"intensities\":");
  append_floats(line, scan->intensities._buffer, scan->intensities._length);
}

static uint32_t digest_echoes(uint32_t sum, const dds_sequence_sensor_msgs_msg_dds__LaserEcho_ *beams) {
  for (uint32_t beam = 0; beam < beams->_length; beam += 1) {
    const dds_sequence_float *echoes = &beams->_buffer[beam].echoes;
    sum = digest(sum, echoes->_buffer, echoes->_length * sizeof(float));
  }
  return sum;
}

static void add_echoes(struct line *line, const char *name, const dds_sequence_sensor_msgs_msg_dds__LaserEcho_ *beams) {
  append(line, ",\"%s\":[", name);
  for (uint32_t beam = 0; beam < beams->_length; beam += 1) {
    if (beam > 0) append(line, ",");
    append_floats(line, beams->_buffer[beam].echoes._buffer, beams->_buffer[beam].echoes._length);
  }
  append(line, "]");
}

static void describe_echoes(struct line *line, const void *sample, bool full) {
  const sensor_msgs_msg_dds__MultiEchoLaserScan_ *scan = sample;
  add_header(line, &scan->header);
  add_float(line, "angleMin", scan->angle_min);
  add_float(line, "angleMax", scan->angle_max);
  add_float(line, "angleIncrement", scan->angle_increment);
  add_float(line, "timeIncrement", scan->time_increment);
  add_float(line, "scanTime", scan->scan_time);
  add_float(line, "rangeMin", scan->range_min);
  add_float(line, "rangeMax", scan->range_max);
  add_whole(line, "size", scan->ranges._length);
  add_whole(line, "digest", digest_echoes(digest_echoes(digest_start, &scan->ranges), &scan->intensities));
  if (!full) return;
  add_echoes(line, "ranges", &scan->ranges);
  add_echoes(line, "intensities", &scan->intensities);
}

static void describe_cloud(struct line *line, const void *sample, bool full) {
  const sensor_msgs_msg_dds__PointCloud2_ *cloud = sample;
  add_header(line, &cloud->header);
  add_whole(line, "height", cloud->height);
  add_whole(line, "width", cloud->width);
  append(line, ",\"fields\":[");
  for (uint32_t at = 0; at < cloud->fields._length; at += 1) {
    const sensor_msgs_msg_dds__PointField_ *field = &cloud->fields._buffer[at];
    append(line, "%s{\"name\":", at > 0 ? "," : "");
    append_quoted(line, field->name);
    append(line, ",\"offset\":%u,\"datatype\":%u,\"count\":%u}", field->offset, field->datatype, field->count);
  }
  append(line, "]");
  add_flag(line, "isBigendian", cloud->is_bigendian);
  add_whole(line, "pointStep", cloud->point_step);
  add_whole(line, "rowStep", cloud->row_step);
  add_flag(line, "isDense", cloud->is_dense);
  add_whole(line, "size", cloud->data._length);
  add_whole(line, "digest", digest(digest_start, cloud->data._buffer, cloud->data._length));
  if (full) add_hex(line, "data", cloud->data._buffer, cloud->data._length);
}

static void add_vector(struct line *line, const char *name, const geometry_msgs_msg_dds__Vector3_ *vector) {
  add_doubles(line, name, (const double[]){vector->x, vector->y, vector->z}, 3);
}

static void add_quaternion(struct line *line, const char *name, const geometry_msgs_msg_dds__Quaternion_ *turn) {
  add_doubles(line, name, (const double[]){turn->x, turn->y, turn->z, turn->w}, 4);
}

static void describe_odometry(struct line *line, const void *sample, bool full) {
  (void)full;
  const nav_msgs_msg_dds__Odometry_ *odometry = sample;
  const geometry_msgs_msg_dds__Pose_ *pose = &odometry->pose.pose;
  add_header(line, &odometry->header);
  add_text(line, "child", odometry->child_frame_id);
  add_doubles(line, "position", (const double[]){pose->position.x, pose->position.y, pose->position.z}, 3);
  add_quaternion(line, "orientation", &pose->orientation);
  add_doubles(line, "poseCovariance", odometry->pose.covariance, 36);
  add_vector(line, "linear", &odometry->twist.twist.linear);
  add_vector(line, "angular", &odometry->twist.twist.angular);
  add_doubles(line, "twistCovariance", odometry->twist.covariance, 36);
}

static void describe_clock(struct line *line, const void *sample, bool full) {
  (void)full;
  const rosgraph_msgs_msg_dds__Clock_ *message = sample;
  append(line, ",\"stamp\":[%d,%u]", message->clock.sec, message->clock.nanosec);
}

static void describe_transforms(struct line *line, const void *sample, bool full) {
  (void)full;
  const tf2_msgs_msg_dds__TFMessage_ *message = sample;
  append(line, ",\"transforms\":[");
  for (uint32_t at = 0; at < message->transforms._length; at += 1) {
    const geometry_msgs_msg_dds__TransformStamped_ *one = &message->transforms._buffer[at];
    append(line, "%s{\"at\":%u", at > 0 ? "," : "", at);
    add_header(line, &one->header);
    add_text(line, "child", one->child_frame_id);
    add_vector(line, "translation", &one->transform.translation);
    add_quaternion(line, "rotation", &one->transform.rotation);
    append(line, "}");
  }
  append(line, "]");
}

static void add_gids(struct line *line, const char *name, const dds_sequence_rmw_dds_common_msg_dds__Gid_ *gids) {
  append(line, ",\"%s\":{\"count\":%u", name, gids->_length);
  for (uint32_t at = 0; at < gids->_length; at += 1) {
    char number[16];
    snprintf(number, sizeof number, "%u", at);
    add_hex(line, number, gids->_buffer[at].data, sizeof gids->_buffer[at].data);
  }
  append(line, "}");
}

static void describe_nodes(struct line *line, const void *sample, bool full) {
  (void)full;
  const rmw_dds_common_msg_dds__ParticipantEntitiesInfo_ *info = sample;
  add_hex(line, "gid", info->gid.data, sizeof info->gid.data);
  append(line, ",\"nodes\":[");
  for (uint32_t at = 0; at < info->node_entities_info_seq._length; at += 1) {
    const rmw_dds_common_msg_dds__NodeEntitiesInfo_ *node = &info->node_entities_info_seq._buffer[at];
    append(line, "%s{\"at\":%u", at > 0 ? "," : "", at);
    add_text(line, "namespace", node->node_namespace);
    add_text(line, "name", node->node_name);
    add_gids(line, "readers", &node->reader_gid_seq);
    add_gids(line, "writers", &node->writer_gid_seq);
    append(line, "}");
  }
  append(line, "]");
}

static const struct type types[] = {
    {"LaserScan", &sensor_msgs_msg_dds__LaserScan__desc, describe_scan},
    {"MultiEchoLaserScan", &sensor_msgs_msg_dds__MultiEchoLaserScan__desc, describe_echoes},
    {"PointCloud2", &sensor_msgs_msg_dds__PointCloud2__desc, describe_cloud},
    {"TFMessage", &tf2_msgs_msg_dds__TFMessage__desc, describe_transforms},
    {"Odometry", &nav_msgs_msg_dds__Odometry__desc, describe_odometry},
    {"Clock", &rosgraph_msgs_msg_dds__Clock__desc, describe_clock},
    {"ParticipantEntitiesInfo", &rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc, describe_nodes},
};

/** The message with this short name; NULL if there is none. */
static const struct type *type_of(const char *name) {
  for (size_t at = 0; at < sizeof types / sizeof *types; at += 1) {
    if (strcmp(types[at].name, name) == 0) return &types[at];
  }
  return NULL;
}

#endif
