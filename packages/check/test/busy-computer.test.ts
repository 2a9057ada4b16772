import { createServer } from 'node:http';
import { listening } from '@azimuth/test-support/listening';
import { expect, test } from 'vitest';
import type { ConformanceCase } from '../src/cases/index.js';
import { editionSubject } from '../src/index.js';
import { runCases } from '../src/run/run-check.js';
import { get, pause } from '../src/steps/index.js';
import { captureOf } from '../src/telegram/capture.js';
import type { SegmentReading } from '../src/telegram/segment-reading.js';

const subject = editionSubject('2.4.4', 'full');

/** Runs a case that a scanner fails for the first so many times. @returns its verdict, and the number of attempts */
async function verdictOf(failures: number, msLate: number) {
  let attempts = 0;
  const server = createServer((_, response) => {
    attempts += 1;
    const status = attempts <= failures ? 1 : 0;
    response.end(JSON.stringify({ header: { status, message: '' } }));
  });
  let now = 0;
  const wait = async (milliseconds: number) => {
    now += milliseconds + msLate;
  };
  const url = `http://127.0.0.1:${await listening(server)}`;
  const timed: ConformanceCase = {
    id: 'x',
    clause: 'X.',
    place: 'Azimuth: X',
    level: 'must',
    stage: 'read',
    steps: [pause(1), get('X', { status: 0 })],
  };
  const { results } = await runCases(
    [timed],
    { url, passwords: {}, clock: { now: () => now, wait } },
    subject,
  );
  return [results[0]?.verdict, attempts];
}

test('a case that fails while this computer is late is run again', async () => {
  expect(await verdictOf(2, 60)).toEqual(['pass', 3]);
});

test('a case that fails each time fails, on a late computer too', async () => {
  expect(await verdictOf(9, 60)).toEqual(['fail', 3]);
});

test('a case that fails on a computer in time is not run again', async () => {
  expect(await verdictOf(1, 20)).toEqual(['fail', 1]);
});

test('scans are as far apart as they are, wherever in a scan the capture begins', () => {
  const segments = Array.from({ length: 20 }, (_, index): SegmentReading => {
    const [frame, segment] = [Math.floor(index / 5), index % 5];
    const time = frame * 25_000 + segment * 4000;
    return {
      ...{ kind: 'scan', format: 'compact', bytes: 0, sequence: index, transmitTime: time, frame, segment },
      ...{ firstTime: time, beamList: [] },
    };
  });
  for (let cut = 0; cut < 5; cut++) {
    const { scans } = captureOf(segments.slice(cut), undefined, { seconds: 1, waited: 0 }, undefined);
    expect(scans.map(({ period }) => period)).toEqual([25_000, 25_000]);
  }
});
