import { encodeCompactScan, pcapHeader, pcapPacketOf } from '@azimuth/telegrams';
import { framesOf } from '@azimuth/test-support/scan-telegrams';
import { expect, test } from 'vitest';
import { ReplayCore } from '../../src/replay/index.js';

const path = { sourcePort: 2115, destinationPort: 2115 };
const [telegram] = framesOf([1], 2, 1);
const compact = () => {
  if (telegram === undefined) throw new Error('a frame has telegrams');
  return encodeCompactScan(telegram);
};
const text = new TextEncoder().encode('hello from another program');

/** Offset of the IP header in a packet of a capture. */
const ip = 16;

const changed = (packet: Uint8Array, change: (view: DataView) => void) => {
  change(new DataView(packet.buffer));
  return packet;
};

/** The first bytes of a packet, as captured with a limit. */
function cut(packet: Uint8Array, bytes: number): Uint8Array {
  const short = packet.slice(0, ip + bytes);
  new DataView(short.buffer).setUint32(8, bytes, true);
  return short;
}

function refusalOf(...packets: readonly Uint8Array[]): string {
  const capture = Buffer.concat([pcapHeader(), ...packets]);
  try {
    new ReplayCore(capture);
  } catch (error) {
    return String(error);
  }
  return 'it is played';
}

const packetOf = (payload: Uint8Array) => pcapPacketOf(0, payload, path);

test.each([
  ['TCP', changed(packetOf(compact()), (view) => view.setUint8(ip + 9, 6)), '1 no UDP (TCP, for example)'],
  ['packets that were cut', cut(packetOf(compact()), 60), '1 cut off when they were captured'],
  ['other datagrams', packetOf(text), '1 UDP that does not begin like a telegram'],
  [
    'a fragment alone',
    changed(packetOf(compact()), (view) => view.setUint16(ip + 6, 0x2000)),
    '1 fragments of datagrams, of which others are missing',
  ],
  ['what is no IP', changed(packetOf(text), (view) => view.setUint8(ip, 0)), '1 no IP'],
])('a capture with %s alone says so', (_, packet, reason) => {
  expect(refusalOf(packet)).toContain(`0 that cannot. Left out: ${reason}`);
});

test('a damaged telegram says what is wrong with it', () => {
  const damaged = compact();
  damaged.set([damaged.length - 1], 40);
  expect(refusalOf(packetOf(damaged))).toMatch(
    /1 that cannot\. Left out: 1 damaged or unknown: expected CRC/,
  );
});

test('the commonest reason comes first, and a capture without packets has none', () => {
  expect(refusalOf(packetOf(text), packetOf(text), cut(packetOf(compact()), 60))).toMatch(
    /Left out: 2 UDP that does not .*; 1 cut off/,
  );
  expect(refusalOf()).toMatch(/0 that cannot$/);
});
