import { decodeScan, type Scan } from '@azimuth/test-support/legacy/scan';
import { errorCodeOf, type LegacyClient } from '@azimuth/test-support/legacy-client';
import { stillRoom } from '@azimuth/test-support/streams/room';
import { expect } from 'vitest';
import { LegacyTestScanner } from './legacy-test-scanner.js';

export const turn = 1000 / 15;

export async function inFormat3(scene: object = stillRoom): Promise<LegacyTestScanner> {
  const scanner = await LegacyTestScanner.start({ scene });
  await scanner.write('ScanDataFormat', 3);
  return scanner;
}

/** So many scans of a session that follows them. */
export async function scansOf(
  scanner: LegacyTestScanner,
  client: LegacyClient,
  count: number,
): Promise<Scan[]> {
  const scans: Scan[] = [];
  for (let time = 0; scans.length < count && time < 40 * count; time += 1) {
    await scanner.pass(20, 10);
    while (client.unread > 0 && scans.length < count) scans.push(await client.scan());
  }
  // The last ones may be on their way.
  while (scans.length < count) scans.push(await client.scan());
  return scans;
}

/** Lets scans under way arrive that were begun before a change, and forgets them. */
export async function settled(scanner: LegacyTestScanner, client: LegacyClient): Promise<void> {
  await scanner.pass(4 * turn, turn / 8);
  await client.request('sRN SCdevicestate');
  client.forget();
}

/** One scan on request. Where there is none yet it may take a turn, so time goes on until it is there. */
export async function polled(scanner: LegacyTestScanner, client: LegacyClient): Promise<Scan> {
  for (let time = 0; time < 20; time += 1) {
    let answered = false;
    const answer = client.request('sRN LMDscandata').finally(() => {
      answered = true;
    });
    while (!answered) await scanner.pass(turn / 4, turn / 8);
    const telegram = await answer;
    if (telegram.command === 'sRA') return decodeScan(telegram);
    expect([4, 6, 0x14]).toContain(errorCodeOf(telegram));
  }
  throw new Error('no scan within twenty turns');
}

/** Where a value of a channel looks, in 1/10000 degree from the front of the scanner, counter-clockwise. */
export const directionOf = (scan: Scan, index: number) =>
  (scan.wide[0]?.start ?? 0) + index * (scan.wide[0]?.step ?? 0) - 900_000;

/** The distance in the direction (degrees from the front) of a scan. */
export function distanceAt(scan: Scan, degrees: number): number {
  const channel = scan.wide.find(({ content }) => content === 'DIST1');
  if (channel === undefined) throw new Error('no DIST1');
  const index = Math.round((degrees * 10_000 + 900_000 - channel.start) / channel.step);
  return channel.data[index] ?? Number.NaN;
}

export function contents(scan: Scan): readonly string[] {
  return [...scan.wide, ...scan.narrow].map(({ content }) => content);
}

/** All but what counts telegrams and tells when they were sent. */
export function measured({ telegram, sent, command, ...scan }: Scan) {
  return scan;
}
