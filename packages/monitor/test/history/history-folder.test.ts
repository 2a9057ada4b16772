import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { History } from '../../src/history/history.js';
import { HistoryFolder } from '../../src/history/history-folder.js';
import { snapshotOf } from '../snapshots.js';
import { TestClock } from '../watch/test-clock.js';

const name = 'hall/gate3';

function parts() {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return { folder, clock: new TestClock(), reports: [] as string[] };
}

/** A run of a monitor: what it knows from the run before, and its end. */
async function begun({ folder, clock, reports }: ReturnType<typeof parts>) {
  const history = new History(10);
  const files = new HistoryFolder({
    ...{ history, scanners: [name], folder, clock },
    report: (text) => reports.push(text),
  });
  await files.start();
  return { history, files };
}

test('what a monitor has seen is there after a restart, and the time between is a gap', async () => {
  const all = parts();
  const { clock } = all;
  const first = await begun(all);
  const from = clock.now();
  for (let minute = 0; minute < 5; minute++) {
    first.history.take(snapshotOf({ lookSeconds: minute / 10 }), clock.now());
    await clock.advance(60);
  }
  await first.files.close();
  await clock.advance(120);
  const { history, files } = await begun(all);
  history.take(snapshotOf({ lookSeconds: 1 }), clock.now());
  expect(history.curvesOf(name)).toEqual(first.history.curvesOf(name));
  const points = history.points(name, 'look', clock.now());
  expect(points.map(([at, value]) => [(at - from) / 60_000, value])).toEqual([
    ...[0, 1, 2, 3, 4].map((minute) => [minute, minute / 10]),
    ...[
      [5, null],
      [6, null],
      [7, 1],
    ],
  ]);
  await files.close();
  expect(all.reports).toEqual([]);
});

test('it is written every ten minutes, for its owner only', async () => {
  const all = parts();
  const { history, files } = await begun(all);
  history.take(snapshotOf(), all.clock.now());
  await all.clock.advance(601);
  await expect
    .poll(() => readdirSync(all.folder))
    .toEqual([expect.stringMatching(/^hall-gate3-.*\.history$/)]);
  await files.close();
});

test.each([
  ['a bit', (bytes: Buffer) => bytes.fill(bytes[40] ? 0 : 1, 40, 41)],
  ['its end', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
  ['all of it', () => Buffer.from('nothing')],
])('a file of which %s is damaged is told, and the history begins anew', async (_, damaged) => {
  const all = parts();
  const first = await begun(all);
  first.history.take(snapshotOf(), all.clock.now());
  await first.files.close();
  const [file = ''] = readdirSync(all.folder);
  const path = join(all.folder, file);
  writeFileSync(path, damaged(readFileSync(path)));
  const { history, files } = await begun(all);
  expect(history.curvesOf(name)).toEqual([]);
  expect(all.reports).toEqual([expect.stringContaining(`the history of ${name} begins anew`)]);
  history.take(snapshotOf(), all.clock.now());
  await files.close();
  expect((await begun(all)).history.curvesOf(name)).not.toEqual([]);
});

test('a folder that cannot be written is told once, and ends nothing', async () => {
  const all = parts();
  writeFileSync(join(all.folder, 'file'), '');
  const { history, files } = await begun({ ...all, folder: join(all.folder, 'file') });
  history.take(snapshotOf(), all.clock.now());
  await files.close();
  expect(all.reports.at(-1)).toContain('cannot be written');
});
