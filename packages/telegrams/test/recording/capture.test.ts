import { gzipSync } from 'node:zlib';
import {
  pcapHeader,
  pcapPacketOf,
  RecordingError,
  readRecording,
  recordingFacts,
  recordOf,
} from '@azimuth/telegrams';
import { imuBytes, scanBytes } from '@azimuth/test-support/golden/compact';
import { bytesOf, hexOf, joined } from '@azimuth/test-support/golden/hex';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  block,
  ethernet,
  interfaceOf,
  ipv4,
  ipv6,
  number,
  option,
  packet,
  pcapOf,
  section,
  udp,
} from './captures.js';

const micro = 0xa1b2c3d4;
const nano = 0xa1b23c4d;

function read(bytes: Uint8Array) {
  return [...readRecording(bytes)].map(({ time, telegram }) => [time, hexOf(telegram)]);
}

const scanHex = hexOf(scanBytes);
const imuHex = hexOf(imuBytes);
const datagram = udp(scanBytes);

/** A raw capture (pcap) of these packets, one a second. */
function rawOf(...packets: readonly Uint8Array[]): Uint8Array {
  return pcapOf(
    micro,
    true,
    101,
    packets.map((bytes, seconds) => ({ seconds, fraction: 0, bytes })),
  );
}

describe('a capture (pcap)', () => {
  test('tells the addresses of sender and receiver, of IPv4 and IPv6, also of fragments', () => {
    const halves = [datagram.subarray(0, 16), datagram.subarray(16)];
    const bytes = rawOf(
      ipv4(datagram),
      ipv6(datagram),
      ipv4(halves[0] ?? datagram, 0x2000, 9),
      ipv4(halves[1] ?? datagram, 2, 9),
    );
    expect([...readRecording(bytes)].map(({ from, to }) => [from, to])).toEqual([
      ['192.168.0.1:2115', '192.168.0.100:2115'],
      ['0:0:0:0:0:0:0:0:2115', '0:0:0:0:0:0:0:0:2115'],
      ['192.168.0.1:2115', '192.168.0.100:2115'],
    ]);
  });

  test.each([
    ['µs, little-endian', micro, true, 5],
    ['µs, big-endian', micro, false, 5],
    ['ns, little-endian', nano, true, 5999],
    ['ns, big-endian', nano, false, 5999],
  ])('is read: %s', (_, magic, little, fraction) => {
    const bytes = pcapOf(magic, little, 1, [
      { seconds: 3, fraction, bytes: ethernet(ipv4(datagram)) },
      { seconds: 4, fraction, bytes: ethernet(ipv4(udp(imuBytes))) },
    ]);
    expect(read(bytes)).toEqual([
      [3_000_005, scanHex],
      [4_000_005, imuHex],
    ]);
    expect(recordingFacts(bytes)).toBeUndefined();
  });

  test.each([
    ['Ethernet with a VLAN', 1, ethernet(joined(bytesOf('0005 0800'), ipv4(datagram)), '8100')],
    ['Ethernet with two VLANs', 1, ethernet(joined(bytesOf('0005 8100 0006 0800'), ipv4(datagram)), '88a8')],
    ['Ethernet with IPv6', 1, ethernet(ipv6(datagram), '86dd')],
    ['raw IP', 101, ipv4(datagram)],
    ['raw IPv6', 101, ipv6(datagram)],
    ['Linux cooked', 113, joined(bytesOf('0000 0001 0006 0006770000010000 0800'), ipv4(datagram))],
    [
      'Linux cooked 2',
      276,
      joined(bytesOf('0800 0000 00000002 0001 00 06 0006770000010000'), ipv4(datagram)),
    ],
    ['loopback', 0, joined(bytesOf('02000000'), ipv4(datagram))],
    ['loopback of OpenBSD', 108, joined(bytesOf('00000002'), ipv4(datagram))],
    ['Ethernet with a filling', 1, joined(ethernet(ipv4(datagram)), bytesOf('0000'))],
    ['Ethernet with a check sequence', 0x04000001, joined(ethernet(ipv4(datagram)), bytesOf('12345678'))],
  ])('holds packets of %s', (_, link, bytes) => {
    expect(read(pcapOf(micro, true, link, [{ seconds: 1, fraction: 0, bytes }]))).toEqual([
      [1_000_000, scanHex],
    ]);
  });

  test('of another link type is refused', () => {
    expect(() => read(pcapOf(micro, true, 105, []))).toThrow(
      new RecordingError('expected a capture of Ethernet, IP or Linux, got link type 105'),
    );
  });

  test('may contain other packets, which are ignored', () => {
    const tcp = ipv4(datagram);
    tcp[9] = 6;
    const cut = ipv4(datagram).subarray(0, 60);
    const other = ipv4(udp(bytesOf('02020203 00000000')));
    expect(read(rawOf(tcp, cut, other, bytesOf('ff'), new Uint8Array(0), ipv4(datagram)))).toEqual([
      [5_000_000, scanHex],
    ]);
    expect(
      read(pcapOf(micro, true, 1, [{ seconds: 0, fraction: 0, bytes: ethernet(ipv4(datagram), '0806') }])),
    ).toEqual([]);
  });

  test('may have packets without a length, as hosts capture what their network card cuts', () => {
    const unset = ipv4(datagram);
    unset.fill(0, 2, 4);
    const udpUnset = ipv4(datagram);
    udpUnset.fill(0, 24, 26);
    expect(read(rawOf(unset, udpUnset))).toEqual([
      [0, scanHex],
      [1_000_000, scanHex],
    ]);
  });

  test('has what a packet declares, without what the network has filled up behind it', () => {
    const filled = joined(ipv4(udp(imuBytes)), new Uint8Array(18));
    expect(read(rawOf(filled))).toEqual([[0, imuHex]]);
    const shortHeader = ipv4(datagram);
    shortHeader[0] = 0x44;
    const tooLong = ipv4(datagram);
    tooLong.fill(0xff, 2, 4);
    const withinHeader = ipv4(datagram);
    withinHeader.set([0, 19], 2);
    expect(read(rawOf(shortHeader, tooLong, withinHeader))).toEqual([]);
  });

  test('that is cut off is read up to there', () => {
    const whole = rawOf(ipv4(udp(imuBytes)), ipv4(udp(imuBytes)));
    const one = rawOf(ipv4(udp(imuBytes))).length;
    for (let length = 24; length < whole.length; length++) {
      expect(read(whole.subarray(0, length)).length).toBe(length < one ? 0 : 1);
    }
    expect(() => read(whole.subarray(0, 23))).toThrow(RecordingError);
  });

  test('with an impossible packet is read up to this packet', () => {
    const bytes = rawOf(ipv4(datagram));
    new DataView(bytes.buffer).setUint32(24 + 8, 262_145, true);
    expect(() => read(bytes)).toThrow('expected a packet of up to 262144 bytes at byte 24, got 262145');
  });
});

describe('a datagram in fragments', () => {
  const long = udp(joined(scanBytes, new Uint8Array(100)));
  const more = 0x2000;
  const first = ipv4(long.subarray(0, 64), more);
  const second = ipv4(long.subarray(64, 128), more | 8);
  const last = ipv4(long.subarray(128), 16);
  const whole = hexOf(long.subarray(8));

  test.each([
    ['in order', [first, second, last]],
    ['in reverse', [last, second, first]],
    ['in any order, some twice', [second, second, last, first]],
    ['with others in between', [first, ipv4(udp(imuBytes).subarray(0, 16), more, 7), second, last]],
  ])('is put together: %s', (_, packets) => {
    expect(read(rawOf(...packets)).map(([, telegram]) => telegram)).toEqual([whole]);
  });

  test('is dropped if a fragment is missing or two overlap', () => {
    expect(read(rawOf(first, last))).toEqual([]);
    expect(read(rawOf(first, ipv4(long.subarray(56, 120), more | 7), last, second))).toEqual([]);
  });

  test('is dropped if too many others arrive before it is complete', () => {
    const others = (count: number) =>
      Array.from({ length: count }, (_, id) => ipv4(long.subarray(0, 64), more, id + 2));
    expect(read(rawOf(first, ...others(63), second, last)).length).toBe(1);
    expect(read(rawOf(first, ...others(64), second, last)).length).toBe(0);
  });
});

describe('a capture of the next generation (pcapng)', () => {
  const end = bytesOf('00000000');

  test.each([
    ['little-endian', true],
    ['big-endian', false],
  ])('is read: %s', (_, little) => {
    const resolution = (value: number) => option(9, Uint8Array.of(value), little);
    const offset = option(14, little ? bytesOf('0a00000000000000') : bytesOf('000000000000000a'), little);
    const bytes = joined(
      section(little),
      interfaceOf(1, new Uint8Array(0), little),
      interfaceOf(101, joined(option(2, bytesOf('6c6f31'), little), resolution(9), end), little),
      interfaceOf(101, joined(resolution(0x8a), offset), little),
      interfaceOf(105, end, little),
      block(5, new Uint8Array(8), little),
      packet(0, 1_700_000_000_123_456n, ethernet(ipv4(datagram)), little),
      packet(1, 1_700_000_000_123_456_789n, ipv4(udp(imuBytes)), little),
      packet(2, 1536n, ipv4(datagram), little),
      packet(3, 1n, ipv4(datagram), little),
    );
    expect(read(bytes)).toEqual([
      [1_700_000_000_123_456, scanHex],
      [1_700_000_000_123_456, imuHex],
      // 1536 / 1024 s and 10 s
      [11_500_000, scanHex],
    ]);
  });

  test('may have a second section, in the other order of bytes', () => {
    const one = (little: boolean) =>
      joined(section(little), interfaceOf(101, end, little), packet(0, 7n, ipv4(datagram), little));
    expect(read(joined(one(true), one(false)))).toEqual([
      [7, scanHex],
      [7, scanHex],
    ]);
  });

  const start = joined(section(true), interfaceOf(101, end, true));

  test('whose packets are all of older kinds says how many they are', () => {
    const simple = block(3, joined(number(28, 4, true), ipv4(udp(imuBytes))), true);
    const obsolete = block(2, new Uint8Array(24), true);
    expect(() => read(joined(start, simple, obsolete))).toThrow(
      new RecordingError(
        'expected enhanced packet blocks, got 2 packets in simple or obsolete packet blocks, which are not read: convert the file (editcap -F pcap IN OUT)',
      ),
    );
    expect(read(joined(start, simple, packet(0, 1n, ipv4(udp(imuBytes)), true))).length).toBe(1);
  });

  test('that is cut off is read up to there', () => {
    const whole = joined(start, packet(0, 1n, ipv4(udp(imuBytes)), true));
    for (let length = 28; length < whole.length; length++)
      expect(read(whole.subarray(0, length))).toEqual([]);
    expect(read(whole).length).toBe(1);
  });

  test.each([
    [
      'an interface that there is not',
      packet(1, 1n, ipv4(datagram), true),
      'expected an interface from 0 to 0 at byte 60',
    ],
    [
      'a block that is too short',
      bytesOf('06000000 08000000 08000000'),
      'expected a block of 12 to 16777216 bytes at byte 52, got 8',
    ],
    [
      'a packet longer than its block',
      block(6, joined(new Uint8Array(12), number(9, 4, true), new Uint8Array(12)), true),
      'expected a packet of up to 8 bytes at byte 72',
    ],
    ['a packet without its head', block(6, new Uint8Array(8), true), 'the packet is cut off at byte 52'],
    [
      'no order of bytes',
      block(0x0a0d0d0a, new Uint8Array(16), true),
      'expected byte order 1a2b3c4d at byte 60',
    ],
  ])('is broken: %s', (_, wrong, message) => {
    expect(() => read(joined(start, wrong))).toThrow(message);
  });
});

describe('a capture that we write', () => {
  const path = { sourcePort: 2115, destinationAddress: '10.0.0.2', destinationPort: 2116 };

  test('is laid out byte by byte, its checksums included', () => {
    expect(hexOf(pcapHeader())).toBe(
      hexOf(bytesOf('d4c3b2a1 0200 0400 00000000 00000000 00000400 65000000')),
    );
    // Sum of the IPv4 header: 4500 + 0021 + 4011 + c0a8 + 0001 + 0a00 + 0002 = 14fdd, folded 4fde, complement b021.
    // Sum of UDP: c0a8 + 0001 + 0a00 + 0002 + 0011 + 000d + 0843 + 0844 + 000d + 0202 + 0202 + ff00 = 1de61, folded
    // de62, complement 219d.
    expect(hexOf(pcapPacketOf(1_500_000.7, bytesOf('02020202ff'), path))).toBe(
      hexOf(
        bytesOf(`
          01000000 20a10700 21000000 21000000
          45000021 00000000 4011 b021 c0a80001 0a000002
          0843 0844 000d 219d 02020202ff
        `),
      ),
    );
  });

  test('is read as it was written', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), fc.nat(), (rest, time) => {
        const telegram = joined(bytesOf('02020202'), rest);
        const capture = joined(pcapHeader(), pcapPacketOf(time, telegram, path));
        expect(read(capture)).toEqual([[time, hexOf(telegram)]]);
      }),
    );
  });

  test('holds no payload that a datagram cannot hold, and no other address', () => {
    expect(() => pcapPacketOf(0, new Uint8Array(65_508), path)).toThrow('a datagram holds 65507 at most');
    expect(() => pcapPacketOf(0, imuBytes, { ...path, sourceAddress: '1.2.3.256' })).toThrow(
      new RangeError('expected an IPv4 address, got "1.2.3.256"'),
    );
  });
});

describe('random bytes behind the beginning of a recording', () => {
  test('are read, or refused', () => {
    const beginnings = [
      rawOf(),
      pcapOf(nano, false, 1, []),
      joined(section(true), interfaceOf(101, new Uint8Array(0), true)),
      new TextEncoder().encode('AZREC 1\n{"made":""}\n'),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...beginnings), fc.uint8Array({ maxLength: 200 }), (beginning, rest) => {
        expect(outcomeOf(joined(beginning, rest))).toMatch(/^(read|RecordingError)$/);
        expect(outcomeOf(rest)).toMatch(/^RecordingError$/);
      }),
      { numRuns: 1000 },
    );
  });
});

function outcomeOf(bytes: Uint8Array): string {
  try {
    read(bytes);
    return 'read';
  } catch (error) {
    return error instanceof Error ? error.name : 'something else';
  }
}

test('a recording that is compressed says what to do', () => {
  expect(() => read(gzipSync(recordOf(1, imuBytes)))).toThrow('compressed with gzip: unzip it first');
});
