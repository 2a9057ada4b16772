import { VirtualClock } from '@azimuth/device';
import { WireFaults } from '@azimuth/simulation/faults';
import { expect, test } from 'vitest';
import { StreamFaults } from '../../src/streams/stream-faults.js';

test.each([
  { kind: 'stream-jitter', delay: 10_000 },
  { kind: 'stream-reorder', behind: 3 },
] as const)('$kind holds nothing back at the end', (fault) => {
  const clock = new VirtualClock();
  const sent: Uint8Array[] = [];
  const faults = new StreamFaults(
    new WireFaults({ faults: [fault] }, { clock }),
    (telegram) => sent.push(telegram),
    clock,
  );
  faults.send(new Uint8Array(100));
  expect(clock.next).toBeDefined();
  faults.close();
  expect([clock.next, sent]).toEqual([undefined, []]);
});
