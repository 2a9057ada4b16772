"""A measuring core in Python: a wall, 2 m ahead and endlessly long. Put your sensor in its place.

    python3 wall_core.py /tmp/core.sock

The protocol is in docs/core-socket.md.
"""

import math
import select
import socket
import struct
import sys
import time
from array import array

VERSION = 1
ECHOES = 3
# Types of messages, from the scanner and from the core.
FROM_HELLO, FROM_ORDER, FROM_STOP, FROM_PING, FROM_REFUSAL = 1, 2, 3, 4, 5
HELLO, SEGMENT, PONG = 129, 131, 134


class Lost(Exception):
    """The connection has ended, or the scanner has refused this core."""


def message(kind, content):
    return struct.pack('<IHH', 8 + len(content), kind, 0) + content


class Core:
    """A connection to the scanner. It never waits for a scanner that does not read: scans are lost then."""

    def __init__(self, address, name):
        self.socket = connect(address)
        self.received = b''
        self.unsent = b''
        self.order = None
        self.broken = None
        self.send(message(HELLO, struct.pack('<4sHHI', b'AZCO', VERSION, 0, 0) + name.encode()[:64]))

    def wait(self, until):
        """Exchanges messages until a time (ns of time.monotonic_ns), or until there is another order."""
        order = self.order
        while self.order is order:
            left = max(0, until - time.monotonic_ns()) / 1e9
            waiting = [self.socket] if self.unsent else []
            readable, writable, _ = select.select([self.socket], waiting, [], left)
            if writable:
                self.send(b'')
            if readable:
                self.read()
            elif time.monotonic_ns() >= until:
                return

    def segment(self, scan, begin, first, distance, rssi, flags):
        """Sends some beams of a scan. `begin`: when the first of them was measured."""
        if self.unsent:
            self.broken = scan
        if self.broken == scan:
            return
        head = struct.pack('<IIQII', self.order['number'], scan, begin, first, len(distance) // ECHOES)
        self.send(message(SEGMENT, head + little(distance) + little(rssi) + bytes(flags)))

    def send(self, content):
        self.unsent += content
        try:
            self.unsent = self.unsent[self.socket.send(self.unsent):] if self.unsent else b''
        except BlockingIOError:
            pass
        except OSError as error:
            # The scanner may have said why.
            self.read()
            raise Lost(str(error)) from error

    def read(self):
        try:
            received = self.socket.recv(4096)
        except OSError as error:
            raise Lost(str(error)) from error
        if not received:
            raise Lost('the scanner has closed the connection')
        self.received += received
        while len(self.received) >= 8:
            length, kind, _ = struct.unpack_from('<IHH', self.received)
            if len(self.received) < length:
                return
            content, self.received = self.received[8:length], self.received[length:]
            self.handle(kind, content)

    def handle(self, kind, content):
        if kind == FROM_PING:
            self.send(message(PONG, content + struct.pack('<Q', time.monotonic_ns())))
        elif kind == FROM_ORDER:
            names = 'number sensitivity long_range beams beams_per_segment frequency first_angle step'
            values = struct.unpack('<IBB2xIIdddqI4x', content)
            self.order = dict(zip((names + ' origin_time origin_number').split(), values))
        elif kind == FROM_STOP:
            if self.order and self.order['number'] == struct.unpack('<I', content)[0]:
                self.order = None
        elif kind == FROM_REFUSAL:
            raise Lost(f'the scanner refuses this core: {content.decode()}')
        elif kind == FROM_HELLO:
            (version,) = struct.unpack_from('<H', content, 4)
            if version != VERSION:
                raise Lost(f'the scanner speaks version {version}, and this core version {VERSION}')


def connect(address):
    host, colon, port = address.rpartition(':')
    is_tcp = colon and '/' not in address
    made = socket.socket(socket.AF_INET if is_tcp else socket.AF_UNIX)
    try:
        made.connect((host or '127.0.0.1', int(port)) if is_tcp else address)
    except OSError as error:
        made.close()
        raise Lost(str(error)) from error
    if is_tcp:
        made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    made.setblocking(False)
    return made


def little(values):
    if sys.byteorder == 'big':
        values = array(values.typecode, values)
        values.byteswap()
    return values.tobytes()


def measure(order, first, count):
    """Returns distances (mm), signal strengths and flags of some beams."""
    distance, rssi = array('f', bytes(4 * ECHOES * count)), array('H', bytes(2 * ECHOES * count))
    for beam in range(count):
        ahead = math.cos(math.radians(order['first_angle'] + (first + beam) * order['step']))
        # From 84 degrees on the wall is too far away; behind there is nothing.
        if ahead >= 0.1:
            distance[ECHOES * beam] = 2000 / ahead
            rssi[ECHOES * beam] = int(40_000 * ahead)
    return distance, rssi, bytes(ECHOES * count)


def run(core, order):
    """Measures until there is another order. A sensor has a rotating mirror; the clock replaces it."""
    period = 1e9 / order['frequency']
    beam_time = 1e9 * order['step'] / (360 * order['frequency'])
    # The wall does not move, so each segment is computed once.
    parts = [
        (first, measure(order, first, min(order['beams_per_segment'], order['beams'] - first)))
        for first in range(0, order['beams'], order['beams_per_segment'])
    ]
    turn = 0
    while True:
        # The mirror rotates on from the origin. Turns that are over are not measured.
        turns = math.ceil((time.monotonic_ns() - order['origin_time']) / period)
        if turns > turn + 2 or turn == 0:
            turn = max(0, turns)
        begin = order['origin_time'] + turn * period
        for first, echoes in parts:
            # The segment leaves when its last beam has been measured.
            core.wait(int(begin + (first + len(echoes[0]) // ECHOES - 1) * beam_time))
            if core.order is not order:
                return
            core.segment(order['origin_number'] + turn, int(begin + first * beam_time), first, *echoes)
        turn += 1


def main():
    if len(sys.argv) != 2:
        sys.exit('usage: wall_core.py PATH|HOST:PORT')
    problem = None
    while True:
        core = None
        try:
            core = Core(sys.argv[1], 'wall core in Python')
            problem = None
            while True:
                if core.order:
                    run(core, core.order)
                else:
                    core.wait(time.monotonic_ns() + 100_000_000)
        except Lost as lost:
            if str(lost) != problem:
                problem = str(lost)
                print(f'wall_core: {problem}; trying again', file=sys.stderr, flush=True)
            if core:
                core.socket.close()
            time.sleep(0.2)


main()
