"""Judges a driver: prints by how much its scan is wrong, in range (mm) and in time (us), and how. Exit code 1 if it is.

Usage: azimuth scan --aim --json --count 1 | python3 driver_error.py http://127.0.0.1:9000
Put your own driver in the place of `azimuth scan`: one line of JSON with frame, time, endTime, echoes, azimuth (degrees)
and distance (mm; `echoes` places for each beam, 0 where there is no echo). Switch a moving average of the scanner off
before: its scans have the number of the first scan of the average and the time of the last.
If your driver deskews, add "deskewed": "begin", "end" (in the axes of the scanner at the first or last beam) or "world" (in the
scene), and give one echo of each beam. For anything else, use `azimuth truth`.
"""
import json
import math
import statistics
import sys
import urllib.request

# A driver without faults stays far below these limits in all scenes of Azimuth.
MEDIAN, MOST, SCALE, ROTATION, TIME = 15, 60, 0.003, 0.4, 50
# Few beams, or short ranges, tell little of scale and rotation: so many standard errors are needed beside that.
SURE = 4
# So many beams in a row are not missing by chance.
GAP = 10
# So many beams may all look at something dark.
DARK = 100


def judge(scan, beams):
    """Compares a scan with the truth of its beams. Returns lines to print, and what is wrong in words."""
    step = beams[1]["angle"] - beams[0]["angle"]
    if "deskewed" in scan:
        scan = taken_back(scan, beams)
    errors, ratios, slopes, paired, missing, left_out, strange, order = [], [], [], [], 0, 0, 0, 0
    for place, azimuth in enumerate(scan["azimuth"]):
        number = round((azimuth - beams[0]["angle"]) / step)
        if not 0 <= number < len(beams) or abs(azimuth - beams[number]["angle"]) > step / 2:
            strange += 1
            continue
        paired.append(number)
        echoes = scan["distance"][place * scan["echoes"] : (place + 1) * scan["echoes"]]
        # The nearest echo comes first, and none is left out in between.
        there = [echo for echo in echoes if echo > 0]
        order += echoes[: len(there)] != sorted(there)
        truth, before, after = near(beams, number)
        if not is_plain(truth, before, after):
            left_out += 1
        elif not there:
            missing += 1
        else:
            true = truth["surface"]["distance"]
            errors.append((there[0] - true if echoes[0] > 0 else -true, azimuth))
            ratios.append(there[0] / true)
            slopes.append((after["surface"]["distance"] - before["surface"]["distance"]) / 2)
    gaps = gaps_in(sorted(set(paired)), beams)
    missing += sum(gaps)
    if len(errors) < 10:
        return [f"beams compared: {len(errors)}, missing: {missing}"], ["fewer than 10 beams can be compared"]
    sizes = sorted(abs(error) for error, _ in errors)
    median, most = statistics.median(sizes), sizes[int(len(sizes) * 0.95)]
    worst, at = max(errors, key=lambda error: abs(error[0]))
    scale = statistics.median(ratios)
    # How many beams the ranges are turned by: errors that follow the slope of the surfaces.
    steep = sum(slope * slope for slope in slopes)
    rotation = sum(error * slope for (error, _), slope in zip(errors, slopes)) / steep if steep > 0 else 0
    spread = spread_of([ratio - scale for ratio in ratios])
    scale_limit = max(SCALE, SURE * 1.25 * spread / math.sqrt(len(ratios)))
    rotation_limit = max(ROTATION, SURE * spread_of([error for error, _ in errors]) / math.sqrt(steep)) if steep > 0 else 0
    first = scan["time"] - beams[paired[0]]["time"]
    last = scan["endTime"] - beams[paired[-1]]["time"]
    lines = [
        f"beams compared: {len(errors)}, without a single truth: {left_out}, missing: {missing}, at no beam's angle: {strange}",
        f"range error: median {median:.1f} mm, 95 % {most:.1f} mm, worst {worst:.1f} mm at {at:.2f} deg",
        f"fit: scale {scale:.4f}, turned by {rotation:.2f} beams",
        f"time error: first beam {first} us, last beam {last} us",
    ]
    wrong = [
        (median > MEDIAN or most > MOST, "the ranges are not those of their beams"),
        (abs(scale - 1) > scale_limit, f"the ranges are scaled by {scale:.4f}"),
        (abs(rotation) > rotation_limit, f"the ranges are turned by {rotation:.1f} beams"),
        (max(abs(first), abs(last)) > TIME, "the times are not those of this scan"),
        (order > 0, f"echoes are out of order in {order} beams"),
        (strange > 0, f"{strange} azimuths are those of no beam"),
        (max(gaps, default=0) >= GAP, f"{sum(gaps)} beams between the first and the last are missing"),
        (missing - sum(gaps) > max(len(errors), DARK), "more beams are missing than there are"),
    ]
    return lines, [words for is_wrong, words in wrong if is_wrong]


def taken_back(scan, beams):
    """Returns a deskewed scan as it was measured: each beam in the axes of the scanner at its own time."""
    ends = {"begin": beams[0]["pose"], "end": beams[-1]["pose"], "world": {"x": 0, "y": 0, "heading": 0}}
    frame = ends[scan["deskewed"]]
    measured = [measured_beam(*point, frame, beams) for point in zip(scan["azimuth"], scan["distance"])]
    return {**scan, "azimuth": [azimuth for azimuth, _ in measured], "distance": [distance for _, distance in measured]}


def measured_beam(azimuth, distance, frame, beams):
    """Azimuth and distance of a beam, from its point in the axes of a frame."""
    if distance <= 0:
        return azimuth, distance
    direction = math.radians(azimuth + frame["heading"])
    x = frame["x"] + distance / 1000 * math.cos(direction)
    y = frame["y"] + distance / 1000 * math.sin(direction)
    step = beams[1]["angle"] - beams[0]["angle"]
    number = len(beams) // 2
    # Which beam it was depends on where the scanner was: three rounds are enough.
    for _ in range(3):
        pose = beams[min(max(number, 0), len(beams) - 1)]["pose"]
        seen = math.degrees(math.atan2(y - pose["y"], x - pose["x"])) - pose["heading"]
        azimuth = (seen + 180) % 360 - 180
        number = round((azimuth - beams[0]["angle"]) / step)
    return azimuth, 1000 * math.hypot(x - pose["x"], y - pose["y"])


def near(beams, number):
    """A beam and its neighbours."""
    return beams[number], beams[max(number - 1, 0)], beams[min(number + 1, len(beams) - 1)]


def gaps_in(numbers, beams):
    """How many beams that hit something are missing in each gap: a driver may leave out beams that hit nothing."""
    steps = [after - before for before, after in zip(numbers, numbers[1:])]
    usual = statistics.mode(steps) if steps else 1
    return [
        sum(is_plain(*near(beams, number)) for number in range(before + usual, after, usual))
        for before, after in zip(numbers, numbers[1:])
        if after - before > usual
    ]


def spread_of(deviations):
    """The standard deviation of normal noise, whatever a few outliers are."""
    return 1.4826 * statistics.median(abs(deviation) for deviation in deviations)


def is_plain(truth, before, after):
    """Has a beam one truth? Not in glass or fog, and not at an edge, where its light meets two surfaces."""
    three = [truth, before, after]
    if any(beam["surface"] is None or beam["glass"] or beam["fog"] for beam in three):
        return False
    distances = [beam["surface"]["distance"] for beam in three]
    objects = {beam["surface"]["object"] for beam in three}
    return len(objects) == 1 and max(distances) - min(distances) < 100 + 0.05 * min(distances)


if __name__ == "__main__":
    measured = json.load(sys.stdin)
    url = f"{sys.argv[1]}/truth?scan={measured['frame']}"
    report, faults = judge(measured, json.load(urllib.request.urlopen(url))["beams"])
    print("\n".join(report))
    print("right" if not faults else "wrong: " + "; ".join(faults))
    sys.exit(1 if faults else 0)
