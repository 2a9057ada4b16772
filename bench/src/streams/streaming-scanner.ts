import { setTimeout } from 'node:timers/promises';
import type { Scanner } from '@azimuth/client';
import type { Receiver } from './receiver.js';

const profile = 8;

/** ms: the longest wait for the first telegram, and the interval between two checks. */
const patience = 5000;
const pause = 20;

/** Makes 50 Hz, 0.25° and these ports of this machine the settings of a scanner. */
export async function configure(
  scanner: Scanner,
  [scan = 0, imu = 0, encoder = 0]: readonly number[],
): Promise<void> {
  const here = (Port: number) => ({ Protocol: 1 as const, IPAddress: [127, 0, 0, 1], Port });
  await scanner.write('PerformanceProfileNumber', profile);
  await scanner.write('ScanDataEthSettings', here(scan));
  await scanner.write('ImuDataEthSettings', here(imu));
  await scanner.write('EncoderDataEthSettings', here(encoder));
}

/** Switches the streams of scan, IMU and encoder data on or off. */
export async function switchStreams(scanner: Scanner, on: boolean): Promise<void> {
  await scanner.write('ScanDataEnable', on);
  await scanner.write('ImuDataEnable', on);
  await scanner.write('EncoderDataEnable', on);
}

/** @throws Error if scan data or the other telegrams do not arrive. */
export async function untilStreaming(receiver: Receiver): Promise<void> {
  const deadline = performance.now() + patience;
  for (;;) {
    const { telegrams, others } = await receiver.result();
    if (telegrams > 0 && others > 0) return;
    if (performance.now() > deadline) throw new Error('the scanner does not stream');
    await setTimeout(pause);
  }
}
