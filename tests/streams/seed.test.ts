import { expect, it } from 'vitest';
import { UdpReceiver } from '../support/streams/receiver.js';
import { VirtualScanner } from '../support/streams/virtual-scanner.js';

/** All bytes that a scanner sends in its first second. */
async function bytesWith(seed: number): Promise<string> {
  const scanner = await VirtualScanner.start({ seed });
  const receiver = await UdpReceiver.open();
  await scanner.send('scan', 'UDP', receiver.port);
  await scanner.send('imu', 'UDP', receiver.port);
  await scanner.send('encoder', 'UDP', receiver.port);
  await scanner.pass(1000);
  const telegrams = await receiver.next(149 + 100 + 25);
  return Buffer.concat(telegrams.map(({ bytes }) => bytes)).toString('hex');
}

it('sends byte for byte the same with the same seed, something else with another', async () => {
  const first = await bytesWith(7);
  expect(await bytesWith(7)).toBe(first);
  expect(await bytesWith(8)).not.toBe(first);
});
