import { pcapngHeader, pcapngPacketOf, readRecording } from '@azimuth/telegrams';
import { imuBytes, scanBytes } from '@azimuth/test-support/golden/compact';
import { hexOf, joined } from '@azimuth/test-support/golden/hex';
import { expect, test } from 'vitest';

const path = { sourcePort: 2115, destinationPort: 7503 };
const time = 1_700_000_000_123_456;

test('a capture begins with a section and an interface of IP packets', () => {
  expect(hexOf(pcapngHeader())).toBe(
    `0a0d0d0a${'1c000000'}4d3c2b1a01000000${'ff'.repeat(8)}1c000000${'01000000'}140000006500000000000400${'14000000'}`,
  );
});

test('a packet has its time in µs, and its comment behind it', () => {
  const packet = hexOf(pcapngPacketOf(time, Uint8Array.of(2, 2, 2, 2, 7), path, 'tür'));
  // Type, length; interface; time; 33 bytes; the packet and 3 bytes to fill it.
  expect(packet.slice(0, 56)).toBe(
    `06000000${'50000000'}00000000${'240a0600'}${'40222018'}${'21000000'.repeat(2)}`,
  );
  expect(packet.endsWith(`0202020207000000${'0100'}${'0400'}74c3bc72${'00000000'}${'50000000'}`)).toBe(true);
});

test('a capture is read as it was written', () => {
  const capture = joined(
    pcapngHeader(),
    pcapngPacketOf(time, scanBytes, path, 'a scan'),
    pcapngPacketOf(time + 1, imuBytes, {
      ...path,
      sourceAddress: '10.0.0.1',
      destinationAddress: '10.0.0.2',
    }),
  );
  expect([...readRecording(capture)]).toEqual([
    { time, telegram: scanBytes, from: '192.168.0.1:2115', to: '192.168.0.100:7503' },
    { time: time + 1, telegram: imuBytes, from: '10.0.0.1:2115', to: '10.0.0.2:7503' },
  ]);
});

test('a comment that is too long is cut off between characters', () => {
  const packet = pcapngPacketOf(time, imuBytes, path, 'ü'.repeat(40_000));
  expect([...readRecording(joined(pcapngHeader(), packet))]).toHaveLength(1);
  expect(packet.length).toBeLessThan(66_000);
});
