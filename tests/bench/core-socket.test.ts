import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { delaysIn } from '../../bench/src/core-socket/latency.js';

const lines = (rows: readonly (readonly number[])[]) => rows.map((row) => `${row.join(' ')}\n`).join('');

it('delays of segments are those of their datagrams, and segments without one are lost', () => {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-bench-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [core, receiver] = [join(folder, 'core'), join(folder, 'receiver')];
  const ms = 1_000_000;
  // Scan, first beam, begin, end, written.
  const written = [
    [6, 240, 1 * ms, 2 * ms, 2.5 * ms],
    [7, 0, 10 * ms, 13 * ms, 13.25 * ms],
    [7, 240, 13 * ms, 16 * ms, 16.25 * ms],
    [8, 0, 30 * ms, 33 * ms, 33.25 * ms],
  ];
  // Telegram, frame, segment, received.
  const received = [
    [1, 7, 0, 13.75 * ms],
    [3, 8, 0, 34.25 * ms],
  ];
  writeFileSync(core, lines(written));
  writeFileSync(receiver, lines(received));
  expect(delaysIn(core, receiver, 0, 33)).toEqual({
    afterWriting: [0.5],
    afterFirstSegment: [0.75],
    lost: 1,
  });
});
