import { join } from 'node:path';
import { FolderReader } from '@azimuth/monitor';
import { temporaryFolder } from '@azimuth/test-support/files';
import { KilledAppender } from '@azimuth/test-support/killed-appender';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { expect, test } from 'vitest';

const kills = 50;

test(`${kills} kills in the middle of writing lose no entry that was acknowledged`, async () => {
  const folder = join(temporaryFolder(), 'log');
  const appender = await KilledAppender.create(folder);
  const random = new SeededRandom('kills of the log');
  for (let kill = 0; kill < kills; kill++) await appender.run(random.between(1, 120));
  const found: string[] = [];
  const damages: string[] = [];
  const reader = new FolderReader(folder, ({ file, reason }) => damages.push(`${file}: ${reason}`));
  for await (const entry of reader.next({})) if (entry.kind === 'monitor') found.push(entry.text);
  const distinct = new Set(found);
  const missing = appender.acknowledged.filter((text) => !distinct.has(text));
  expect(appender.acknowledged.length).toBeGreaterThan(kills * 10);
  expect([missing, damages]).toEqual([[], []]);
  expect(distinct.size).toBe(found.length);
});
