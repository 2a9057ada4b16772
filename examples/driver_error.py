"""Prints by how much a driver's scan is wrong: in range (mm) and in time (µs).

Usage: azimuth scan --aim --json --count 1 | python3 driver_error.py http://127.0.0.1:9000
Put your own driver in the place of `azimuth scan`: one line of JSON with frame, time, endTime, beams, echoes, distance.
"""
import json
import sys
import urllib.request

scan = json.load(sys.stdin)
url = f"{sys.argv[1]}/truth?scan={scan['frame']}"
beams = json.load(urllib.request.urlopen(url))["beams"]

errors = []
for beam in range(scan["beams"]):
    measured = scan["distance"][scan["echoes"] * beam]
    truth = beams[beam]["surface"]
    if measured > 0 and truth is not None:
        errors.append(measured - truth["distance"])
errors.sort()
print(f"beams compared: {len(errors)}")
print(f"range error: median {errors[len(errors) // 2]:.1f} mm, worst {max(map(abs, errors)):.1f} mm")
print(f"time error: first beam {scan['time'] - beams[0]['time']} us, last beam {scan['endTime'] - beams[-1]['time']} us")
