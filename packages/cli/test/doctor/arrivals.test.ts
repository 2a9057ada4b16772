import { senderIdOf } from '@azimuth/telegrams';
import { expect, test } from 'vitest';
import { arrivalFrom } from '../../src/doctor/arrivals.js';
import { allStreams } from '../../src/doctor/checks/stream-parts.js';
import { observation } from './observation.js';

const [scan] = allStreams;

function arrivalAt(serial: string, ...senders: readonly number[]) {
  if (scan === undefined) throw new Error('there is a scan stream');
  const telegrams = senders.map((sender) => ({ kind: scan.name, from: '127.0.0.1', serial: sender }));
  const observed = observation({
    values: { SerialNumber: serial },
    facts: { host: '127.0.0.1', isHere: true },
  });
  return arrivalFrom(observed, scan, { telegrams, damaged: 0, seconds: 1 });
}

test.each(['12345678', '12E3', '0x12', 'ABC12'])('telegrams of scanner %s are its own', (serial) => {
  expect(arrivalAt(serial, senderIdOf(serial))).toMatchObject({ telegrams: 1, strangers: [] });
});

test('telegrams of another scanner are a stranger’s, whatever the serial number looks like', () => {
  for (const serial of ['12345678', '12E3', 'ABC12']) {
    expect(arrivalAt(serial, 555)).toMatchObject({
      telegrams: 0,
      strangers: ['127.0.0.1 (serial number 555)'],
    });
  }
});
