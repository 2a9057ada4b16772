import { FleetStore } from '@azimuth/fleet';
import { temporaryFolder } from '@azimuth/test-support/files';
import { LogBook } from '@azimuth/test-support/log-book';
import { scannerFacts } from '@azimuth/test-support/some-fleet';
import { expect, test } from 'vitest';
import { partFolder } from '../../src/fleet/part-folders.js';
import { resetInParts, resetPasswords } from '../../src/fleet/reset-passwords.js';

const log = new LogBook();

/** A store that has lost records of unknown scanners. */
async function unsureStore(folder: string): Promise<void> {
  const store = await FleetStore.open(folder, log);
  await store.powerOn(['1', '2']);
  await store.setUnsure(true);
  await store.close();
}

/** Returns the scanners of 1, 2 and unknown ones that count as used, and so are locked without credentials. */
async function usedIn(folder: string): Promise<readonly boolean[]> {
  const store = await FleetStore.open(folder, log);
  const used = ['1', '2', 'another'].map((serial) => store.isUsed(serial));
  await store.close();
  return used;
}

test.each([
  [['1'], [true, true, true]],
  [['*'], [true, true, false]],
  [
    ['1', '2'],
    [true, true, true],
  ],
])('a reset of %j unlocks no scanner but those, in one process and in parts', async (patterns, used) => {
  const reset = { patterns, passwords: {} };
  const [whole, data] = [temporaryFolder(), temporaryFolder()];
  await unsureStore(whole);
  const store = await FleetStore.open(whole, log);
  await resetPasswords(store, scannerFacts(2), reset, log);
  await store.close();
  expect(await usedIn(whole)).toEqual(used);
  await unsureStore(partFolder(data, 0));
  const partOf = new Map([
    ['1', 0],
    ['2', 0],
  ]);
  await resetInParts(data, partOf, scannerFacts(2), reset, log);
  expect(await usedIn(partFolder(data, 0))).toEqual(used);
});

test('a pattern that means no scanner resets nothing', async () => {
  const store = await FleetStore.open(temporaryFolder(), log);
  const reset = { patterns: ['1', 'nobody'], passwords: {} };
  await expect(resetPasswords(store, scannerFacts(2), reset, log)).rejects.toThrow('matches "nobody"');
  expect(store.isUsed('1')).toBe(false);
  await store.close();
});
