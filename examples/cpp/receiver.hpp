// Receives scans of the virtual scanner in AZIMUTH_DEVICE over UDP. with-scanner.sh starts the scanner.
#pragma once
#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <system_error>

#include "compact.hpp"

/** Its segments in their order. */
using Scan = std::map<std::uint64_t, compact::Segment>;

class Receiver {
 public:
  Receiver() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);  // port 0: any free one
    socklen_t length = sizeof address;
    const timeval patience{10, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    if (bind(socket_, reinterpret_cast<sockaddr*>(&address), length) != 0 ||
        getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &length) != 0)
      throw std::system_error(errno, std::generic_category(), "cannot open a UDP port");
    const std::string port = std::to_string(ntohs(address.sin_port));
    const std::string aim = "azimuth set ScanDataEthSettings Protocol=1 IPAddress=127.0.0.1 Port=" + port;
    if (std::system((aim + " && azimuth set ScanDataEnable on").c_str()) != 0)
      throw std::runtime_error("the scanner cannot be set");
  }
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;
  ~Receiver() { close(socket_); }

  /** The next complete scan. */
  Scan next() {
    std::vector<unsigned char> datagram;
    for (;;) {
      datagram.resize(65536);
      const ssize_t size = recv(socket_, datagram.data(), datagram.size(), 0);
      if (size < 0) throw std::system_error(errno, std::generic_category(), "no telegram");
      datagram.resize(static_cast<std::size_t>(size));
      const compact::Segment segment = compact::decode(datagram);
      if (last_ != 0 && segment.telegram != last_ + 1) std::puts("telegrams were lost");
      last_ = segment.telegram;
      Scan& scan = scans_[segment.frame];
      scan.emplace(segment.segment, segment);
      if (scan.size() < 10) continue;  // a scan has 10 segments with the profiles up to 25 Hz
      Scan complete = std::move(scan);
      scans_.erase(scans_.begin(), scans_.upper_bound(segment.frame));
      return complete;
    }
  }

 private:
  const int socket_ = socket(AF_INET, SOCK_DGRAM, 0);
  std::uint64_t last_ = 0;
  std::map<std::uint64_t, Scan> scans_;
};
