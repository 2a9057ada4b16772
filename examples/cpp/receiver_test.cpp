// Receives scans of the virtual scanner in AZIMUTH_DEVICE over UDP, and checks them. with-scanner.sh starts the scanner.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "compact.hpp"

int main() {
  const int receiver = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);  // port 0: any free one
  socklen_t length = sizeof address;
  const timeval patience{10, 0};
  setsockopt(receiver, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (bind(receiver, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
      getsockname(receiver, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    std::perror("cannot open a UDP port");
    return 1;
  }
  const std::string port = std::to_string(ntohs(address.sin_port));
  const std::string aim = "azimuth set ScanDataEthSettings Protocol=1 IPAddress=127.0.0.1 Port=" + port;
  if (std::system((aim + " && azimuth set ScanDataEnable on").c_str()) != 0) return 1;

  std::map<std::uint64_t, std::vector<compact::Segment>> scans;
  std::vector<unsigned char> datagram;
  for (std::uint64_t last = 0;;) {
    datagram.resize(65536);
    const ssize_t size = recv(receiver, datagram.data(), datagram.size(), 0);
    if (size < 0) {
      std::perror("no telegram");
      return 1;
    }
    datagram.resize(static_cast<std::size_t>(size));
    const compact::Segment segment = compact::decode(datagram);
    if (last != 0 && segment.telegram != last + 1) std::puts("telegrams were lost");
    last = segment.telegram;
    std::vector<compact::Segment>& scan = scans[segment.frame];
    scan.push_back(segment);
    if (scan.size() < 10) continue;  // a scan has 10 segments with the profiles up to 25 Hz

    // The scene: the farthest wall is 6.1 m ahead, and nearly every beam has an echo.
    int echoes = 0, outside = 0;
    for (const compact::Segment& part : scan)
      for (const compact::Beam& beam : part.beams) {
        if (beam.distance > 0) ++echoes;
        if (std::abs(beam.x()) > 6'300 || std::abs(beam.y()) > 3'200) ++outside;
      }
    std::printf("%d echoes, %d outside of the room\n", echoes, outside);
    close(receiver);
    return echoes > 800 && outside == 0 ? 0 : 1;
  }
}
