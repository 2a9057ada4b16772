"""A virtual scanner for tests, and its scans as points. It needs `azimuth` on the PATH, and the standard library alone."""
import hashlib
import json
import math
import socket
import struct
import subprocess
import tempfile
import urllib.request
import zlib


class VirtualScanner:
    """`azimuth serve` on free ports: with VirtualScanner("--scene", "gate") as scanner: ..."""

    def __init__(self, *options):
        self._folder = tempfile.TemporaryDirectory()
        command = ["azimuth", "serve", "--json", "--any-ports", "--data", self._folder.name + "/data", *options]
        self._log = open(self._folder.name + "/log", "w+")
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self._log)
        ready = self._process.stdout.readline()
        if not ready:
            self._log.seek(0)
            reason = self._log.read()
            self.close()
            raise RuntimeError("the scanner did not start: " + reason)
        self.ports = json.loads(ready)
        self.url = f"http://127.0.0.1:{self.ports['http']}"
        self.control = f"http://127.0.0.1:{self.ports['control']}"

    def close(self):
        self._process.terminate()
        self._process.communicate()
        self._log.close()
        self._folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def read(self, name):
        return fetch(f"{self.url}/api/{name}")["data"][name]

    def write(self, name, value, user="Service", password="servicelevel"):
        def sha256(*parts):
            return hashlib.sha256(b":".join(parts)).hexdigest().encode()

        challenge = fetch(f"{self.url}/api/getChallenge", {"data": {"user": user}})["challenge"]
        realm, nonce = challenge["realm"], challenge["nonce"]
        hash1 = sha256(user.encode(), realm.encode(), password.encode(), bytes(challenge["salt"]))
        response = sha256(hash1, nonce.encode(), sha256(b"POST", name.encode())).decode()
        login = {"user": user, "realm": realm, "nonce": nonce, "opaque": challenge["opaque"], "response": response}
        fetch(f"{self.url}/api/{name}", {"header": login, "data": {name: value}})

    def truth(self, scan):
        """What each beam of a scan met, exactly."""
        return fetch(f"{self.control}/truth?scan={scan}")["beams"]


def fetch(url, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(url, data, timeout=10) as response:
        answer = json.load(response)
    if answer.get("header", {}).get("status", 0) != 0:
        raise RuntimeError(f"{url}: {answer['header']['message']}")
    return answer


def segment(datagram):
    """The frame number and the points (x, y in mm; 0, 0 without an echo) of a Compact telegram with one row of beams."""
    marker, kind = struct.unpack_from("<II", datagram)
    (checksum,) = struct.unpack("<I", datagram[-4:])
    if (marker, kind, zlib.crc32(datagram[:-4])) != (0x02020202, 1, checksum):
        raise ValueError("expected a Compact telegram with a scan")
    frame, _, _, beams, echoes = struct.unpack_from("<QIIII", datagram, 40)
    unit, _, _, echo, beam = struct.unpack_from("<fIBBB", datagram, 92)
    each = echoes * 2 * bin(echo & 3).count("1") + (beam & 1) + (beam & 2)
    points = []
    for at in range(104, 104 + beams * each, each):
        distance = struct.unpack_from("<H", datagram, at)[0] * unit
        azimuth = (struct.unpack_from("<H", datagram, at + each - 2)[0] - 16384) / 5215
        points.append((distance * math.cos(azimuth), distance * math.sin(azimuth)))
    return frame, points


def scans(scanner, segments=10):
    """Complete scans as (frame number, points); 10 segments with the profiles up to 25 Hz."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(10)
        port = receiver.getsockname()[1]
        scanner.write("ScanDataEthSettings", {"Protocol": 1, "IPAddress": [127, 0, 0, 1], "Port": port})
        scanner.write("ScanDataEnable", True)
        parts = {}
        while True:
            frame, points = segment(receiver.recv(65536))
            parts.setdefault(frame, []).append(points)
            if len(parts[frame]) == segments:
                yield frame, [point for part in parts.pop(frame) for point in part]
