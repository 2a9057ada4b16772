// Prints by how much a driver is wrong: in range (mm) and in time (µs). Put your own driver in the place of Receiver.
#include <algorithm>

#include "receiver.hpp"

int main() {
  const Scan scan = Receiver().next();
  const std::string frame = std::to_string(scan.begin()->second.frame);
  FILE* truth = popen(("curl -sf \"$AZIMUTH_CONTROL/truth?scan=" + frame + "\" | tr '{' '\\n'").c_str(), "r");
  std::vector<double> errors;
  double worst = 0, late = 0, time = 0, distance = 0;
  char line[1000];
  // A line for each beam, and behind it one for its surface if it meets one.
  const auto next = [&] {
    while (std::fgets(line, sizeof line, truth) && std::sscanf(line, "\"angle\":%*f,\"time\":%lf", &time) != 1) {
    }
  };
  for (const auto& [number, segment] : scan)
    for (const compact::Beam& beam : segment.beams) {
      next();
      if (&beam == &segment.beams[0]) late = std::max(late, std::abs(static_cast<double>(segment.start) - time));
      if (beam.distance <= 0 || std::strstr(line, "\"surface\":null") || !std::fgets(line, sizeof line, truth)) continue;
      if (std::sscanf(line, "\"distance\":%lf", &distance) == 1) errors.push_back(beam.distance - distance);
    }
  if (pclose(truth) != 0 || errors.empty()) return 1;
  std::sort(errors.begin(), errors.end());
  worst = std::max(std::abs(errors.front()), std::abs(errors.back()));
  std::printf("beams compared: %zu\nrange error: median %.1f mm, worst %.1f mm\n", errors.size(), errors[errors.size() / 2], worst);
  std::printf("time error: worst %.0f us\n", late);
}
