"""Follows the wall on the right by scans: a closed loop over the velocity port. `python3 drive.py [SECONDS]`.

Put your controller in the place of `follow`: it gets the points of a scan, and returns m/s and degrees per s. The
vehicle passes through walls: there are no collisions. So a controller has to stop by itself.
"""
import json
import math
import socket
import sys
import time

from virtual_scanner import VirtualScanner, scans

WANTED = 1000  # mm to the wall on the right
NEAREST = 350  # mm to anything, below which it stops


def follow(points):
    """m/s and degrees per s for a scan: points (x ahead, y to the left) in mm, 0, 0 without an echo."""
    ranges = {round(math.degrees(math.atan2(y, x))): math.hypot(x, y) for x, y in points if (x, y) != (0, 0)}
    if min(ranges.values(), default=math.inf) < NEAREST:
        return 0, 0
    right, ahead_right = ranges.get(-90), ranges.get(-45)
    if right is None or ahead_right is None:
        return 0.2, -20
    # The angle between the vehicle and the wall, from two beams that meet it: positive if it drives away from the wall.
    away = math.atan2(ahead_right * math.sin(math.pi / 4) - right, ahead_right * math.cos(math.pi / 4))
    wanted = max(-40, min(40, (WANTED - right * math.cos(away)) * 0.06))
    # Before a corner, it turns to the left.
    blocked = max(0, 1500 - min((ranges.get(angle, math.inf) for angle in range(-10, 11)), default=math.inf))
    turn = 1.5 * (wanted - math.degrees(away)) + 0.08 * blocked
    return 0.5, max(-60, min(60, turn))


class Vehicle:
    """The velocity port: each velocity is answered with the odometry of its moment."""

    def __init__(self, port):
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.connect(("127.0.0.1", port))
        self._socket.settimeout(5)

    def drive(self, speed, turn):
        self._socket.send(json.dumps({"speed": speed, "turn": turn}).encode())
        odometry = json.loads(self._socket.recv(65536))
        if "error" in odometry:
            raise RuntimeError(odometry["error"])
        return odometry

    def close(self):
        self._socket.close()


def main(seconds):
    with VirtualScanner("--scene", "empty-room", "--seed", "7", "--velocity-port", "0") as scanner:
        vehicle = Vehicle(scanner.ports["velocity"])
        ends = time.monotonic() + seconds
        for _, points in scans(scanner):
            speed, turn = follow(points)
            odometry = vehicle.drive(speed, turn)
            if time.monotonic() > ends:
                break
        vehicle.drive(0, 0)
        vehicle.close()
        nearest = min(math.hypot(x, y) for x, y in points if (x, y) != (0, 0))
        print(json.dumps({"travelled": odometry["travelled"], "nearest": nearest, "pose": odometry["pose"]}))


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60)
