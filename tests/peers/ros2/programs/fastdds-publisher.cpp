// fastdds-publisher DOMAIN TOPIC READERS COUNT PERIOD_MS POINTS LEFT_OUT: waits until this many readers match, then
// writes this many scans, without the one with the number LEFT_OUT, and stays until stdin ends.
#include <fastcdr/Cdr.h>
#include <fastcdr/FastBuffer.h>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "fastdds-participant.hpp"

namespace {

/** Range i of scan n is n + i / 8 m, and its intensity i. */
Bytes scan_of(int number, int period, size_t points) {
  std::vector<float> ranges(points), intensities(points);
  for (size_t at = 0; at < points; at += 1) {
    ranges[at] = static_cast<float>(number) + static_cast<float>(at) / 8;
    intensities[at] = static_cast<float>(at);
  }
  Bytes bytes(128 + 8 * points);
  eprosima::fastcdr::FastBuffer buffer(bytes.data(), bytes.size());
  eprosima::fastcdr::Cdr cdr(buffer, eprosima::fastcdr::Cdr::LITTLE_ENDIANNESS, eprosima::fastcdr::Cdr::DDS_CDR);
  cdr.serialize_encapsulation();
  cdr << static_cast<int32_t>(number * period / 1000) << static_cast<uint32_t>(number * period % 1000) * 1000000u;
  cdr << std::string("laser") << -1.0f << 1.0f << 2 / static_cast<float>(points - 1);
  cdr << 0.0f << 0.0f << 0.0f << 0.0f << ranges << intensities;
  bytes.resize(cdr.getSerializedDataLength());
  return bytes;
}

fast::DataWriter *open_writer(fast::DomainParticipant *participant, const std::string &name) {
  fast::TypeSupport type(new RawType("sensor_msgs::msg::dds_::LaserScan_"));
  type.register_type(participant);
  fast::Topic *topic = participant->create_topic(name, type.get_type_name(), fast::TOPIC_QOS_DEFAULT);
  fast::DataWriterQos qos;
  qos.reliability().kind = fast::RELIABLE_RELIABILITY_QOS;
  qos.durability().kind = fast::VOLATILE_DURABILITY_QOS;
  qos.history().depth = 16;
  qos.endpoint().history_memory_policy = rtps::DYNAMIC_REUSABLE_MEMORY_MODE;
  return participant->create_publisher(fast::PUBLISHER_QOS_DEFAULT)->create_datawriter(topic, qos);
}

}  // namespace

int main(int count, char **words) {
  if (count != 8) return 2;
  const int readers = atoi(words[3]), scans = atoi(words[4]), period = atoi(words[5]), left_out = atoi(words[7]);
  const size_t points = static_cast<size_t>(atoi(words[6]));
  fast::DomainParticipant *participant = open_participant(static_cast<uint32_t>(atoi(words[1])), nullptr);
  if (participant == nullptr) return 1;
  fast::DataWriter *writer = open_writer(participant, words[2]);
  fast::PublicationMatchedStatus matched;
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    writer->get_publication_matched_status(matched);
  } while (matched.current_count < readers);
  for (int number = 0; number < scans; number += 1) {
    Bytes bytes = scan_of(number, period, points);
    if (number != left_out && !writer->write(&bytes)) return 1;
    std::this_thread::sleep_for(std::chrono::milliseconds(period));
  }
  char ignored;
  while (read(STDIN_FILENO, &ignored, 1) > 0) continue;
  participant->delete_contained_entities();
  fast::DomainParticipantFactory::get_instance()->delete_participant(participant);
  return 0;
}
