import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { LongTime } from './driver.js';
import { pass, start } from './start.js';

test('times of 32 bits go on after 71.6 minutes', async () => {
  const scanner = await start('hall');
  await scanner.write('ScanDataFormat', 3);
  const socket = connect(scanner.ports.legacyA ?? 0, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (bytes) => (text += bytes.toString('latin1')));
  await scanner.advance(4_294_000);
  socket.write('\x02sEN LMDscandata 1\x03');
  await pass(2000, scanner);
  // The time of a scan is the tenth word, in hex.
  const scans = text.split('\x02').filter((frame) => frame.startsWith('sSN LMDscandata '));
  const times = scans.map((scan) => parseInt(scan.split(' ')[9] ?? '', 16));
  expect(Math.min(...times)).toBeLessThan(1_000_000);
  const long = new LongTime();
  const continued = times.map((time) => long.of(time));
  const steps = continued.slice(1).map((time, index) => time - (continued[index] ?? 0));
  expect(steps.length).toBeGreaterThan(20);
  for (const step of steps) expect(step).toBeCloseTo(1_000_000 / 15, -1);
});
