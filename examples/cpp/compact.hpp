// Decodes Compact telegrams of a 2D scanner: one module with one row of beams.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace compact {

struct Beam {
  double azimuth;   // rad, counter-clockwise, 0 straight ahead
  double distance;  // mm, 0 without an echo
  std::vector<double> echoes;  // all of them, the nearest first
  double x() const { return distance * std::cos(azimuth); }
  double y() const { return distance * std::sin(azimuth); }
};

struct Segment {
  std::uint64_t telegram;  // rises by one: a gap is a loss
  std::uint64_t segment;   // from 0 in each scan
  std::uint64_t frame;     // number of the scan
  std::uint64_t start;     // µs, when the first beam was measured
  std::uint64_t end;       // µs, when the last one was
  std::vector<Beam> beams;
};

inline std::uint32_t crc32(const unsigned char* bytes, std::size_t count) {
  std::uint32_t crc = ~0u;
  for (std::size_t at = 0; at < count; ++at) {
    crc ^= bytes[at];
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ (0xEDB88320u & (0u - (crc & 1)));
  }
  return ~crc;
}

/** Reads a number at an offset; the format and this machine are little-endian. */
template <typename Number>
Number at(const std::vector<unsigned char>& bytes, std::size_t offset) {
  if (offset + sizeof(Number) > bytes.size()) throw std::runtime_error("the telegram is too short");
  Number number;
  std::memcpy(&number, &bytes[offset], sizeof number);
  return number;
}

inline Segment decode(const std::vector<unsigned char>& bytes) {
  if (at<std::uint32_t>(bytes, 0) != 0x02020202 || at<std::uint32_t>(bytes, 4) != 1)
    throw std::runtime_error("expected a Compact telegram with a scan");
  const std::size_t checked = bytes.size() - 4;
  if (crc32(bytes.data(), checked) != at<std::uint32_t>(bytes, checked))
    throw std::runtime_error("the checksum is wrong");
  if (at<std::uint32_t>(bytes, 24) != 4) throw std::runtime_error("expected version 4 of the telegram");
  if (at<std::uint32_t>(bytes, 52) != 1) throw std::runtime_error("expected one row of beams");
  Segment result{at<std::uint64_t>(bytes, 8), at<std::uint64_t>(bytes, 32), at<std::uint64_t>(bytes, 40),
                 at<std::uint64_t>(bytes, 64), at<std::uint64_t>(bytes, 72), {}};
  const auto beams = at<std::uint32_t>(bytes, 56), echoes = at<std::uint32_t>(bytes, 60);
  const auto unit = at<float>(bytes, 92);
  const auto echo = at<std::uint8_t>(bytes, 101), beam = at<std::uint8_t>(bytes, 102);
  // Distance, signal strength, properties, azimuth: each is there if its bit is set.
  const std::size_t perEcho = 2 * ((echo & 1) + (echo >> 1 & 1));
  const std::size_t size = echoes * perEcho + (beam & 1) + (beam & 2);
  for (std::size_t number = 0; number < beams; ++number) {
    const std::size_t offset = 104 + number * size;
    const double azimuth = (at<std::uint16_t>(bytes, offset + size - 2) - 16384) / 5215.0;
    std::vector<double> distances;
    for (std::size_t each = 0; each < echoes; ++each)
      distances.push_back(at<std::uint16_t>(bytes, offset + each * perEcho) * static_cast<double>(unit));
    result.beams.push_back({azimuth, distances.empty() ? 0 : distances[0], distances});
  }
  return result;
}

}  // namespace compact
