import { VirtualClock } from '@azimuth/device';
import { expect, test } from 'vitest';
import { WireFaults } from '../../src/faults/wire-faults.js';

test('puts the faults of a plan on telegrams and requests, and names their kinds', () => {
  const plan = {
    faults: [
      { kind: 'stream-loss', stream: 'scan', every: 2 },
      { kind: 'http-429', endpoint: 'LocationName' },
    ],
  } as const;
  const faults = new WireFaults(plan, { clock: new VirtualClock() });
  const telegrams = [1, 2, 3].map(() => faults.asked(() => faults.streams?.of('scan')));
  expect(telegrams.map(({ result, kinds }) => [result?.fate, kinds])).toEqual([
    [undefined, []],
    ['lost', ['stream-loss']],
    [undefined, []],
  ]);
  const { result, kinds } = faults.asked(() => faults.http?.of('/api/LocationName', 'GET'));
  expect([result?.response?.kind, kinds]).toEqual(['busy', ['http-429']]);
  expect([faults.events, faults.legacy]).toEqual([undefined, undefined]);
});

test('pulls the cable at its time, and puts it in again', () => {
  const clock = new VirtualClock();
  const faults = new WireFaults({ faults: [{ kind: 'link-down', at: 1000, for: 500 }] }, { clock });
  const states = [999, 1, 499, 1].map((milliseconds) => {
    clock.advance(milliseconds);
    return faults.link.down;
  });
  expect(states).toEqual([undefined, 'silent', 'silent', undefined]);
  faults.close();
});

test('refuses faults that only a virtual scanner can have, with their places', () => {
  const plan = { faults: [{ kind: 'stream-loss' }, { kind: 'device-power-cut' }] } as const;
  expect(() => new WireFaults(plan, { clock: new VirtualClock() })).toThrow(
    'faults[1].kind: a fault of what passes (HTTP, Events, Legacy protocol, Data streams, Link), not device-power-cut, which only a virtual scanner can have',
  );
});
