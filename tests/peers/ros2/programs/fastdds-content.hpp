// What a sample of each message says, read with Fast CDR member by member: no type support is generated.
#pragma once

#include <fastcdr/Cdr.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "report.h"

using Cdr = eprosima::fastcdr::Cdr;

inline void describe_header(line *line, Cdr &cdr) {
  int32_t seconds;
  uint32_t nanoseconds;
  std::string frame;
  cdr >> seconds >> nanoseconds >> frame;
  append(line, ",\"stamp\":[%d,%u]", seconds, nanoseconds);
  add_text(line, "frame", frame.c_str());
}

/** What LaserScan and MultiEchoLaserScan have in common. */
inline void describe_scan_geometry(line *line, Cdr &cdr) {
  describe_header(line, cdr);
  for (const char *name :
       {"angleMin", "angleMax", "angleIncrement", "timeIncrement", "scanTime", "rangeMin", "rangeMax"}) {
    float value;
    cdr >> value;
    add_float(line, name, value);
  }
}

inline uint32_t digest_of(uint32_t sum, const std::vector<float> &values) {
  return digest(sum, values.data(), values.size() * sizeof(float));
}

inline void describe_scan(line *line, Cdr &cdr, bool full) {
  describe_scan_geometry(line, cdr);
  std::vector<float> ranges, intensities;
  cdr >> ranges >> intensities;
  add_whole(line, "size", ranges.size());
  add_whole(line, "digest", digest_of(digest_of(digest_start, ranges), intensities));
  if (!full) return;
  append(line, ",\"ranges\":");
  append_floats(line, ranges.data(), ranges.size());
  append(line, ",\"intensities\":");
  append_floats(line, intensities.data(), intensities.size());
}

using Beams = std::vector<std::vector<float>>;

inline Beams beams_of(Cdr &cdr) {
  uint32_t count;
  cdr >> count;
  Beams beams;
  for (uint32_t beam = 0; beam < count; beam += 1) {
    beams.emplace_back();
    cdr >> beams.back();
  }
  return beams;
}

inline void add_beams(line *line, const char *name, const Beams &beams) {
  append(line, ",\"%s\":[", name);
  const char *before = "";
  for (const auto &echoes : beams) {
    append(line, "%s", before);
    append_floats(line, echoes.data(), echoes.size());
    before = ",";
  }
  append(line, "]");
}

inline void describe_echoes(line *line, Cdr &cdr, bool full) {
  describe_scan_geometry(line, cdr);
  const Beams ranges = beams_of(cdr);
  const Beams intensities = beams_of(cdr);
  add_whole(line, "size", ranges.size());
  uint32_t sum = digest_start;
  for (const auto &echoes : ranges) sum = digest_of(sum, echoes);
  for (const auto &echoes : intensities) sum = digest_of(sum, echoes);
  add_whole(line, "digest", sum);
  if (!full) return;
  add_beams(line, "ranges", ranges);
  add_beams(line, "intensities", intensities);
}

inline void describe_cloud(line *line, Cdr &cdr, bool full) {
  describe_header(line, cdr);
  uint32_t height, width, fields;
  cdr >> height >> width >> fields;
  add_whole(line, "height", height);
  add_whole(line, "width", width);
  append(line, ",\"fields\":[");
  for (uint32_t at = 0; at < fields; at += 1) {
    std::string name;
    uint32_t offset, count;
    uint8_t datatype;
    cdr >> name >> offset >> datatype >> count;
    append(line, "%s{\"name\":", at > 0 ? "," : "");
    append_quoted(line, name.c_str());
    append(line, ",\"offset\":%u,\"datatype\":%u,\"count\":%u}", offset, datatype, count);
  }
  append(line, "]");
  bool is_bigendian, is_dense;
  uint32_t point_step, row_step;
  std::vector<uint8_t> data;
  cdr >> is_bigendian >> point_step >> row_step >> data >> is_dense;
  add_flag(line, "isBigendian", is_bigendian);
  add_whole(line, "pointStep", point_step);
  add_whole(line, "rowStep", row_step);
  add_flag(line, "isDense", is_dense);
  add_whole(line, "size", data.size());
  add_whole(line, "digest", digest(digest_start, data.data(), data.size()));
  if (full) add_hex(line, "data", data.data(), data.size());
}

inline void describe_doubles(line *line, Cdr &cdr, const char *name, size_t count) {
  std::vector<double> values(count);
  for (double &value : values) cdr >> value;
  add_doubles(line, name, values.data(), count);
}

inline void describe_odometry(line *line, Cdr &cdr, bool) {
  std::string child;
  describe_header(line, cdr);
  cdr >> child;
  add_text(line, "child", child.c_str());
  describe_doubles(line, cdr, "position", 3);
  describe_doubles(line, cdr, "orientation", 4);
  describe_doubles(line, cdr, "poseCovariance", 36);
  describe_doubles(line, cdr, "linear", 3);
  describe_doubles(line, cdr, "angular", 3);
  describe_doubles(line, cdr, "twistCovariance", 36);
}

inline void describe_clock(line *line, Cdr &cdr, bool) {
  int32_t seconds;
  uint32_t nanoseconds;
  cdr >> seconds >> nanoseconds;
  append(line, ",\"stamp\":[%d,%u]", seconds, nanoseconds);
}

inline void describe_transforms(line *line, Cdr &cdr, bool) {
  uint32_t count;
  cdr >> count;
  append(line, ",\"transforms\":[");
  for (uint32_t at = 0; at < count; at += 1) {
    std::string child;
    append(line, "%s{\"at\":%u", at > 0 ? "," : "", at);
    describe_header(line, cdr);
    cdr >> child;
    add_text(line, "child", child.c_str());
    describe_doubles(line, cdr, "translation", 3);
    describe_doubles(line, cdr, "rotation", 4);
    append(line, "}");
  }
  append(line, "]");
}

inline void describe_gid(line *line, Cdr &cdr, const char *name) {
  // 16 from ROS 2 Iron on, 24 in Humble.
  uint8_t gid[GID_BYTES];
  cdr.deserializeArray(gid, sizeof gid);
  add_hex(line, name, gid, sizeof gid);
}

inline void describe_gids(line *line, Cdr &cdr, const char *name) {
  uint32_t count;
  cdr >> count;
  append(line, ",\"%s\":{\"count\":%u", name, count);
  for (uint32_t at = 0; at < count; at += 1) describe_gid(line, cdr, std::to_string(at).c_str());
  append(line, "}");
}

inline void describe_nodes(line *line, Cdr &cdr, bool) {
  describe_gid(line, cdr, "gid");
  uint32_t count;
  cdr >> count;
  append(line, ",\"nodes\":[");
  for (uint32_t at = 0; at < count; at += 1) {
    std::string space, name;
    cdr >> space >> name;
    append(line, "%s{\"at\":%u", at > 0 ? "," : "", at);
    add_text(line, "namespace", space.c_str());
    add_text(line, "name", name.c_str());
    describe_gids(line, cdr, "readers");
    describe_gids(line, cdr, "writers");
    append(line, "}");
  }
  append(line, "]");
}

struct Content {
  std::string type;
  std::function<void(line *, Cdr &, bool)> describe;
};

/** Each message by its short name. */
inline const std::map<std::string, Content> &contents() {
  static const std::map<std::string, Content> all = {
      {"LaserScan", {"sensor_msgs::msg::dds_::LaserScan_", describe_scan}},
      {"MultiEchoLaserScan", {"sensor_msgs::msg::dds_::MultiEchoLaserScan_", describe_echoes}},
      {"PointCloud2", {"sensor_msgs::msg::dds_::PointCloud2_", describe_cloud}},
      {"TFMessage", {"tf2_msgs::msg::dds_::TFMessage_", describe_transforms}},
      {"Odometry", {"nav_msgs::msg::dds_::Odometry_", describe_odometry}},
      {"Clock", {"rosgraph_msgs::msg::dds_::Clock_", describe_clock}},
      {"ParticipantEntitiesInfo", {"rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_", describe_nodes}},
  };
  return all;
}
