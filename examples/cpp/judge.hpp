// Judges the scans of a driver by the truth of the virtual scanner, as examples/driver_error.py does.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace judge {

/** A beam as a driver has it. */
struct Measured {
  double azimuth;              // degrees
  std::vector<double> echoes;  // mm, 0 where there is none
};

struct Scan {
  double time, endTime;  // us, of the first and the last beam
  std::vector<Measured> beams;
  /**
   * The axes of the points: empty for those of the scanner at the time of each beam. Of a driver that deskews, "begin" or "end" for
   * those at the first or the last beam, or "world". Then each beam has one echo.
   */
  std::string deskewed = "";
};

/** Where the scanner is: m and degrees. */
struct Pose {
  double x, y, heading;
};

/** What a beam met: distance 0 for nothing. */
struct True {
  double angle, time, distance;
  std::string object;
  bool clear;  // without glass and fog
  Pose pose;
};

/** Reads the answer of the control port to GET /truth. */
inline std::vector<True> truthIn(const std::string& json) {
  std::vector<True> beams;
  const std::string begin = "{\"angle\":";
  for (std::size_t at = json.find(begin); at != std::string::npos;) {
    const std::size_t next = json.find(begin, at + 1);
    const std::string beam = json.substr(at, next == std::string::npos ? next : next - at);
    const auto number = [&](const char* name) {
      const std::size_t found = beam.find(name);
      return found == std::string::npos ? 0 : std::strtod(beam.c_str() + found + std::string(name).size(), nullptr);
    };
    True truth{number("\"angle\":"), number("\"time\":"), number("\"surface\":{\"distance\":"), {}, false,
               {number("\"x\":"), number("\"y\":"), number("\"heading\":")}};
    const std::size_t object = beam.find("\"object\":\"");
    if (truth.distance > 0) truth.object = beam.substr(object, beam.find('"', object + 10) - object);
    truth.clear = beam.find("\"glass\":[]") != std::string::npos && beam.find("\"fog\":false") != std::string::npos;
    beams.push_back(truth);
    at = next;
  }
  return beams;
}

/** Has a beam one truth? Not in glass or fog, and not at an edge, where its light meets two surfaces. */
inline bool isPlain(const std::vector<True>& beams, std::size_t number) {
  double least = 1e9, most = 0;
  for (std::size_t near = number > 0 ? number - 1 : 0; near <= std::min(number + 1, beams.size() - 1); ++near) {
    if (beams[near].distance <= 0 || !beams[near].clear || beams[near].object != beams[number].object) return false;
    least = std::min(least, beams[near].distance);
    most = std::max(most, beams[near].distance);
  }
  return most - least < 100 + 0.05 * least;
}

/** The nearest echo comes first, and none is left out in between. */
inline bool inOrder(const std::vector<double>& echoes) {
  double before = 0;
  for (const double echo : echoes) {
    if (echo > 0 && (before < 0 || echo < before)) return false;
    before = echo > 0 ? echo : -1;
  }
  return true;
}

inline double middle(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/** The standard deviation of normal noise around a center, whatever a few outliers are. */
inline double spread(const std::vector<double>& values, double center) {
  std::vector<double> deviations;
  for (const double value : values) deviations.push_back(std::abs(value - center));
  return 1.4826 * middle(deviations);
}

/** How many beams that hit something are missing in each gap: a driver may leave out beams that hit nothing. */
inline std::vector<std::size_t> gapsIn(std::vector<std::size_t> numbers, const std::vector<True>& truth) {
  std::sort(numbers.begin(), numbers.end());
  std::map<std::size_t, std::size_t> steps;
  for (std::size_t at = 1; at < numbers.size(); ++at) ++steps[numbers[at] - numbers[at - 1]];
  steps.erase(0);
  std::size_t usual = 1;
  for (const auto& [step, count] : steps) {
    if (steps.count(usual) == 0 || count > steps[usual]) usual = step;
  }
  std::vector<std::size_t> gaps;
  for (std::size_t at = 1; at < numbers.size(); ++at) {
    if (numbers[at] - numbers[at - 1] <= usual) continue;
    std::size_t missing = 0;
    for (std::size_t number = numbers[at - 1] + usual; number < numbers[at]; number += usual) missing += isPlain(truth, number);
    gaps.push_back(missing);
  }
  return gaps;
}

/** Returns a beam as it was measured, from its point in the axes of a frame. */
inline Measured measuredBeam(const Measured& beam, const Pose& frame, const std::vector<True>& truth) {
  if (beam.echoes.empty() || beam.echoes[0] <= 0) return beam;
  const double perDegree = std::acos(-1.0) / 180, direction = (beam.azimuth + frame.heading) * perDegree;
  const double x = frame.x + beam.echoes[0] / 1000 * std::cos(direction), y = frame.y + beam.echoes[0] / 1000 * std::sin(direction);
  const double step = truth.at(1).angle - truth.at(0).angle, last = static_cast<double>(truth.size() - 1);
  double place = last / 2, azimuth = 0, range = 0;
  // Which beam it was depends on where the scanner was: three rounds are enough.
  for (int round = 0; round < 3; ++round) {
    const Pose& pose = truth[static_cast<std::size_t>(std::min(std::max(place, 0.0), last))].pose;
    azimuth = std::remainder(std::atan2(y - pose.y, x - pose.x) / perDegree - pose.heading, 360);
    range = 1000 * std::hypot(x - pose.x, y - pose.y);
    place = std::round((azimuth - truth[0].angle) / step);
  }
  return {azimuth, {range}};
}

/** Returns a deskewed scan as it was measured: each beam in the axes of the scanner at its own time. */
inline Scan takenBack(Scan scan, const std::vector<True>& truth) {
  if (scan.deskewed.empty()) return scan;
  const Pose frame = scan.deskewed == "begin" ? truth.front().pose : scan.deskewed == "end" ? truth.back().pose : Pose{0, 0, 0};
  for (Measured& beam : scan.beams) beam = measuredBeam(beam, frame, truth);
  return scan;
}

/** Prints by how much a scan is wrong, and how. Returns whether it is right. */
inline bool judge(const Scan& given, const std::vector<True>& truth) {
  const Scan scan = takenBack(given, truth);
  // A driver without faults stays far below these limits in all scenes of Azimuth.
  const double medianLimit = 15, mostLimit = 60, scaleLimit = 0.003, rotationLimit = 0.4, timeLimit = 50;
  const double step = truth.at(1).angle - truth.at(0).angle;
  std::vector<double> sizes, errors, ratios;
  std::vector<std::size_t> paired;
  double worst = 0, worstAt = 0, along = 0, steep = 0;
  std::size_t first = truth.size(), last = 0, leftOut = 0, missing = 0, strange = 0, disorder = 0;
  for (const Measured& beam : scan.beams) {
    const double place = std::round((beam.azimuth - truth[0].angle) / step);
    const std::size_t number = static_cast<std::size_t>(std::max(place, 0.0));
    if (place < 0 || number >= truth.size() || std::abs(beam.azimuth - truth[number].angle) > step / 2) {
      ++strange;
      continue;
    }
    if (first == truth.size()) first = number;
    last = number;
    paired.push_back(number);
    if (!inOrder(beam.echoes)) ++disorder;
    if (!isPlain(truth, number)) {
      ++leftOut;
      continue;
    }
    const auto nearest = std::find_if(beam.echoes.begin(), beam.echoes.end(), [](double echo) { return echo > 0; });
    if (nearest == beam.echoes.end()) {
      ++missing;
      continue;
    }
    // Where the first place is empty, the driver has lost the nearest echo.
    const double error = (nearest == beam.echoes.begin() ? *nearest : 0) - truth[number].distance;
    const double slope = (truth[std::min(number + 1, truth.size() - 1)].distance - truth[number > 0 ? number - 1 : 0].distance) / 2;
    sizes.push_back(std::abs(error));
    errors.push_back(error);
    ratios.push_back(*nearest / truth[number].distance);
    if (std::abs(error) > std::abs(worst)) worst = error, worstAt = beam.azimuth;
    along += error * slope;
    steep += slope * slope;
  }
  const std::vector<std::size_t> gaps = gapsIn(paired, truth);
  const std::size_t inGaps = std::accumulate(gaps.begin(), gaps.end(), std::size_t{0});
  const std::size_t longestGap = gaps.empty() ? 0 : *std::max_element(gaps.begin(), gaps.end());
  if (sizes.size() < 10) {
    std::puts("wrong: fewer than 10 beams can be compared");
    return false;
  }
  std::sort(sizes.begin(), sizes.end());
  const double median = sizes[sizes.size() / 2], most = sizes[sizes.size() * 95 / 100];
  const double scale = middle(ratios), rotation = steep > 0 ? along / steep : 0;
  // Few beams, or short ranges, tell little of scale and rotation: four standard errors are needed beside the limits.
  const double sure = 4, noise = spread(errors, 0), ratioNoise = spread(ratios, scale);
  const double scaleDoubt = sure * 1.25 * ratioNoise / std::sqrt(static_cast<double>(ratios.size()));
  const double rotationDoubt = steep > 0 ? sure * noise / std::sqrt(steep) : 0;
  const double early = scan.time - truth[first].time, late = scan.endTime - truth[last].time;
  std::printf("beams compared: %zu, without a single truth: %zu, missing: %zu, at no beam's angle: %zu\n", sizes.size(), leftOut,
              missing + inGaps, strange);
  std::printf("range error: median %.1f mm, 95 %% %.1f mm, worst %.1f mm at %.2f deg\n", median, most, worst, worstAt);
  std::printf("fit: scale %.4f, turned by %.2f beams\n", scale, rotation);
  std::printf("time error: first beam %.0f us, last beam %.0f us\n", early, late);
  const std::pair<bool, const char*> faults[] = {
      {median > medianLimit || most > mostLimit, "the ranges are not those of their beams"},
      {std::abs(scale - 1) > std::max(scaleLimit, scaleDoubt), "the ranges are scaled"},
      {std::abs(rotation) > std::max(rotationLimit, rotationDoubt), "the ranges are turned"},
      {std::max(std::abs(early), std::abs(late)) > timeLimit, "the times are not those of this scan"},
      {disorder > 0, "echoes are out of order"},
      {strange > 0, "azimuths are those of no beam"},
      {longestGap >= 10, "beams between the first and the last are missing"},
      // A hundred beams may all look at something dark.
      {missing > std::max<std::size_t>(sizes.size(), 100), "more beams are missing than there are"},
  };
  bool isRight = true;
  for (const auto& [isWrong, words] : faults) {
    if (!isWrong) continue;
    std::printf("wrong: %s\n", words);
    isRight = false;
  }
  if (isRight) std::puts("right");
  return isRight;
}

}  // namespace judge
