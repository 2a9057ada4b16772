// Prints by how much a driver is wrong, in range (mm) and in time (µs). Put your own driver in the place of Receiver.
#include "judge.hpp"
#include "receiver.hpp"

/** What the beams of a scan met, from the control port. */
inline std::vector<judge::True> truthOf(std::uint64_t frame) {
  FILE* answer = popen(("curl -sf \"$AZIMUTH_CONTROL/truth?scan=" + std::to_string(frame) + "\"").c_str(), "r");
  if (answer == nullptr) throw std::runtime_error("curl cannot be run");
  std::string json;
  char part[65536];
  for (std::size_t count; (count = std::fread(part, 1, sizeof part, answer)) > 0;) json.append(part, count);
  if (pclose(answer) != 0) throw std::runtime_error("the control port does not answer");
  return judge::truthIn(json);
}

/** A scan of the receiver as it is judged. */
inline judge::Scan judged(const Scan& scan) {
  judge::Scan result{static_cast<double>(scan.begin()->second.start), static_cast<double>(scan.rbegin()->second.end), {}};
  for (const auto& [number, segment] : scan)
    for (const compact::Beam& beam : segment.beams) result.beams.push_back({beam.azimuth * 180 / std::acos(-1.0), beam.echoes});
  return result;
}

#ifndef WITHOUT_MAIN
int main() {
  const Scan scan = Receiver().next();
  return judge::judge(judged(scan), truthOf(scan.begin()->second.frame)) ? 0 : 1;
}
#endif
