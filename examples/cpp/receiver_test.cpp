// Checks a scan of the virtual scanner in AZIMUTH_DEVICE. with-scanner.sh starts the scanner.
#include "receiver.hpp"

int main() {
  // The scene: the farthest wall is 6.1 m ahead, and nearly every beam has an echo.
  int echoes = 0, outside = 0;
  for (const auto& [number, segment] : Receiver().next())
    for (const compact::Beam& beam : segment.beams) {
      if (beam.distance > 0) ++echoes;
      if (std::abs(beam.x()) > 6'300 || std::abs(beam.y()) > 3'200) ++outside;
    }
  std::printf("%d echoes, %d outside of the room\n", echoes, outside);
  return echoes > 800 && outside == 0 ? 0 : 1;
}
