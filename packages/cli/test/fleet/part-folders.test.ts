import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FleetStore, type ScannerFacts } from '@azimuth/fleet';
import { readyScene } from '@azimuth/simulation/world';
import { temporaryFolder } from '@azimuth/test-support/files';
import { LogBook } from '@azimuth/test-support/log-book';
import { expect, test } from 'vitest';
import { openMergedStore, partFolder } from '../../src/fleet/part-folders.js';

const scanners: readonly ScannerFacts[] = ['1', '2'].map((serial, index) => ({
  ...{ serial, group: '', variant: 'full', scene: readyScene('empty-room'), seed: index, parameters: {} },
}));

/** A fleet whose second part has stored something of both scanners. */
async function fleetOfParts(): Promise<{ readonly data: string; readonly part: string }> {
  const data = temporaryFolder();
  const part = partFolder(data, 1);
  const store = await FleetStore.open(part, new LogBook());
  for (const { serial } of scanners)
    await store.storageOf(serial).write('parameters.json', Buffer.from(serial));
  await store.close();
  return { data, part };
}

test('a part that is not used any more is removed when its scanners have moved', async () => {
  const { data } = await fleetOfParts();
  const store = await openMergedStore(data, scanners, new LogBook());
  expect(String(await store.storageOf('2').read('parameters.json'))).toBe('2');
  await store.close();
  expect(readdirSync(data).filter((name) => name.startsWith('part-'))).toEqual([]);
});

test('a damaged journal that was set aside in a part stays there, also when the part is not used any more', async () => {
  const { data, part } = await fleetOfParts();
  const path = join(part, 'journal');
  const damaged = readFileSync(path);
  damaged.fill(0xff, damaged.length - 700, damaged.length - 600);
  writeFileSync(path, damaged);
  for (let start = 0; start < 2; start++) {
    const store = await openMergedStore(data, scanners, new LogBook());
    expect(store.storageOf('2').damage).toContain('set aside');
    await store.close();
    const asides = readdirSync(part).filter((name) => name.includes('.unreadable-'));
    expect(asides).toHaveLength(1);
    expect(readFileSync(join(part, asides[0] ?? ''))).toEqual(damaged);
  }
});
