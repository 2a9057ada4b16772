// Plants faults into the scan of a right driver, and checks that driver_error finds each of them.
#define WITHOUT_MAIN
#include "driver_error.cpp"

using Beams = std::vector<judge::Measured>;

static int failures = 0;

static void expect(bool isRight, const char* name, const judge::Scan& scan, const std::vector<judge::True>& truth) {
  std::printf("# %s\n", name);
  if (judge::judge(scan, truth) == isRight) return;
  std::printf("FAILED: %s\n", name);
  ++failures;
}

static judge::Scan turned(judge::Scan scan, std::size_t by) {
  Beams beams = scan.beams;
  for (std::size_t number = 0; number < beams.size(); ++number)
    scan.beams[(number + by) % beams.size()].echoes = beams[number].echoes;
  return scan;
}

static judge::Scan mirrorOf(judge::Scan scan) {
  const Beams beams = scan.beams;
  for (std::size_t number = 0; number < beams.size(); ++number)
    scan.beams[number].echoes = beams[beams.size() - 1 - number].echoes;
  return scan;
}

/** A drive of 2 m/s and 90 degrees/s through a room, and its points. */
struct Drive {
  std::vector<judge::True> truth;
  judge::Scan raw{0, 38000, {}}, deskewed{0, 38000, {}, "begin"};
};

static Drive driveOf() {
  Drive drive;
  const double perDegree = std::acos(-1.0) / 180;
  for (int beam = 0; beam <= 552; ++beam) {
    const double angle = -138 + beam * 0.5, seconds = beam * 38e-3 / 552;
    const judge::Pose pose{2 * seconds, 0, 90 * seconds};
    const double direction = (angle + pose.heading) * perDegree;
    const double toX = std::cos(direction) == 0 ? 1e9 : ((std::cos(direction) > 0 ? 5 : -4) - pose.x) / std::cos(direction);
    const double toY = std::sin(direction) == 0 ? 1e9 : (std::sin(direction) > 0 ? 3 : -3.5) / std::sin(direction);
    const double range = std::min(toX, toY);
    drive.truth.push_back({angle, seconds * 1e6, range * 1000, toX < toY ? "ends" : "sides", true, pose});
    drive.raw.beams.push_back({angle, {range * 1000}});
    const double x = pose.x + range * std::cos(direction), y = range * std::sin(direction);
    drive.deskewed.beams.push_back({std::atan2(y, x) / perDegree, {std::hypot(x, y) * 1000}});
  }
  return drive;
}

int main() {
  const Drive drive = driveOf();
  judge::Scan labelled = drive.raw;
  labelled.deskewed = "begin";
  expect(true, "a drive that is not deskewed", drive.raw, drive.truth);
  expect(true, "a drive that is deskewed", drive.deskewed, drive.truth);
  expect(false, "a drive that should be deskewed", labelled, drive.truth);
  Receiver receiver;
  judge::Scan before = judged(receiver.next());
  Scan received = receiver.next();
  auto truth = truthOf(received.begin()->second.frame);
  // Beside an empty lane, the left looks like the right, and mirrored ranges are right. A vehicle comes within 20 s, 500 scans.
  for (int looks = 0; looks < 50 && judge::judge(mirrorOf(judged(received)), truth); ++looks) {
    for (int scans = 0; scans < 10; ++scans) {
      before = judged(received);
      received = receiver.next();
    }
    truth = truthOf(received.begin()->second.frame);
  }
  const judge::Scan scan = judged(received);
  expect(true, "a right driver", scan, truth);
  judge::Scan scaled = scan, swapped = scan, strange = scan, thinned = scan;
  for (std::size_t number = 0; number < scan.beams.size(); ++number) {
    for (double& echo : scaled.beams[number].echoes) echo *= 1.01;
    std::reverse(swapped.beams[number].echoes.begin(), swapped.beams[number].echoes.end());
    if (number % 50 == 25) strange.beams[number].azimuth += 400;
    if (number % 3 != 0)
      for (double& echo : thinned.beams[number].echoes) echo = 0;
  }
  expect(false, "mirrored ranges", mirrorOf(scan), truth);
  expect(false, "ranges that are a beam off", turned(scan, 1), truth);
  expect(false, "ranges that are a segment off", turned(scan, 90), truth);
  expect(false, "ranges that are 1 % too long", scaled, truth);
  expect(false, "echoes in the wrong order", swapped, truth);
  expect(false, "some azimuths of no beam", strange, truth);
  expect(false, "most echoes left out", thinned, truth);
  expect(false, "the scan before under the number of this one", before, truth);
  return failures == 0 ? 0 : 1;
}
